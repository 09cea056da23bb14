// Optimizer steps: a thread renews an element of a parameter and of its state, which may lie where
// the old ones did. The scalars lie on the device, in float32, the type that is computed in.
// `from` walks what is read: the parameter, the gradient, then the state; `to` what is written.
#include <metal_stdlib>
#include "axes.h"
using namespace metal;

struct SgdParameters {
  float weight_decay;
  uint rate_at;
};

template <typename T>
[[kernel]] void sgd_step(device const T* parameter [[buffer(0)]],
                         device const T* gradient [[buffer(1)]],
                         device T* new_parameter [[buffer(2)]],
                         device const float* rate [[buffer(3)]], constant Axes& from [[buffer(4)]],
                         constant Axes& to [[buffer(5)]], constant SgdParameters& p [[buffer(6)]],
                         uint index [[thread_position_in_grid]]) {
  const Positions old = positions_of(from, index);
  const float value = float(parameter[old.at[0]]);
  const float grad = float(gradient[old.at[1]]) + p.weight_decay * value;
  new_parameter[positions_of(to, index).at[0]] = T(value - rate[p.rate_at] * grad);
}

template [[host_name("sgd_step_float")]] kernel decltype(sgd_step<float>) sgd_step<float>;
template [[host_name("sgd_step_half")]] kernel decltype(sgd_step<half>) sgd_step<half>;

struct MomentumParameters {
  float weight_decay;
  float momentum;
  uint nesterov;
  uint rate_at;
  uint dampening_at;
};

template <typename T>
[[kernel]] void momentum_step(device const T* parameter [[buffer(0)]],
                              device const T* gradient [[buffer(1)]],
                              device const T* velocity [[buffer(2)]],
                              device T* new_parameter [[buffer(3)]],
                              device T* new_velocity [[buffer(4)]],
                              device const float* rate [[buffer(5)]],
                              device const float* dampening [[buffer(6)]],
                              constant Axes& from [[buffer(7)]], constant Axes& to [[buffer(8)]],
                              constant MomentumParameters& p [[buffer(9)]],
                              uint index [[thread_position_in_grid]]) {
  const Positions old = positions_of(from, index);
  const float value = float(parameter[old.at[0]]);
  const float grad = float(gradient[old.at[1]]) + p.weight_decay * value;
  const float kept = p.momentum * float(velocity[old.at[2]]);
  const float moved = kept + (1.0f - dampening[p.dampening_at]) * grad;
  const float direction = p.nesterov != 0 ? grad + p.momentum * moved : moved;
  const Positions renewed = positions_of(to, index);
  new_parameter[renewed.at[0]] = T(value - rate[p.rate_at] * direction);
  new_velocity[renewed.at[1]] = T(moved);
}

template [[host_name("momentum_step_float")]] kernel decltype(momentum_step<float>)
    momentum_step<float>;
template [[host_name("momentum_step_half")]] kernel decltype(momentum_step<half>)
    momentum_step<half>;

struct AdamParameters {
  float weight_decay;
  float gain1;
  float gain2;
  float epsilon;
  uint decoupled;
  uint rate_at;
  uint correction1_at;
  uint correction2_at;
};

template <typename T>
[[kernel]] void adam_step(device const T* parameter [[buffer(0)]],
                          device const T* gradient [[buffer(1)]],
                          device const T* moment1 [[buffer(2)]],
                          device const T* moment2 [[buffer(3)]],
                          device T* new_parameter [[buffer(4)]],
                          device T* new_moment1 [[buffer(5)]], device T* new_moment2 [[buffer(6)]],
                          device const float* rate [[buffer(7)]],
                          device const float* correction1 [[buffer(8)]],
                          device const float* correction2 [[buffer(9)]],
                          constant Axes& from [[buffer(10)]], constant Axes& to [[buffer(11)]],
                          constant AdamParameters& p [[buffer(12)]],
                          uint index [[thread_position_in_grid]]) {
  const Positions old = positions_of(from, index);
  const float value = float(parameter[old.at[0]]), given = float(gradient[old.at[1]]);
  const float mean = float(moment1[old.at[2]]), power = float(moment2[old.at[3]]);
  const float step = rate[p.rate_at];
  const bool decoupled = p.decoupled != 0;
  const float grad = decoupled ? given : given + p.weight_decay * value;
  const float kept = decoupled ? value * (1.0f - step * p.weight_decay) : value;
  const float new_mean = mean + p.gain1 * (grad - mean);
  const float new_power = (1.0f - p.gain2) * power + p.gain2 * grad * grad;
  const float divisor = sqrt(new_power) / sqrt(correction2[p.correction2_at]) + p.epsilon;
  const float size = step / correction1[p.correction1_at];
  const Positions renewed = positions_of(to, index);
  new_parameter[renewed.at[0]] = T(kept - size * new_mean / divisor);
  new_moment1[renewed.at[1]] = T(new_mean);
  new_moment2[renewed.at[2]] = T(new_power);
}

template [[host_name("adam_step_float")]] kernel decltype(adam_step<float>) adam_step<float>;
template [[host_name("adam_step_half")]] kernel decltype(adam_step<half>) adam_step<half>;

#if __METAL_VERSION__ >= 310
template [[host_name("sgd_step_bfloat")]] kernel decltype(sgd_step<bfloat>) sgd_step<bfloat>;
template [[host_name("momentum_step_bfloat")]] kernel decltype(momentum_step<bfloat>)
    momentum_step<bfloat>;
template [[host_name("adam_step_bfloat")]] kernel decltype(adam_step<bfloat>) adam_step<bfloat>;
#endif

// Losses of classes: how far scores are from labels. `outer` walks the labels: operand 0 is the
// scores without their axis of classes, 1 the labels, 2 the logarithms of the probabilities, 3 the
// losses where each is wanted; `inner` walks the classes, in operand 0 the scores', in 1 the
// logarithms'.
#include <metal_stdlib>
#include "axes.h"
#include "faults.h"
#include "long_sum.h"
#include "threadgroup_reduce.h"
using namespace metal;

struct LossParameters {
  long ignored;
  uint has_ignored;
  uint takes_softmax;  // else scores are logarithms of probabilities already
  uint has_weights;
  uint weights_at;
  int weights_step;
  uint writes_logarithms;
  uint joins;  // into `parts`; else into losses
};

// A group a label. `parts` gets the loss of each, and its weight, for the kernel below.
template <typename T, typename I>
[[kernel]] void class_loss(device const T* scores [[buffer(0)]],
                           device const I* labels [[buffer(1)]],
                           device const T* weights [[buffer(2)]],
                           device T* logarithms [[buffer(3)]], device T* losses [[buffer(4)]],
                           device float2* parts [[buffer(5)]], constant Axes& outer [[buffer(6)]],
                           constant Axes& inner [[buffer(7)]],
                           constant LossParameters& p [[buffer(8)]],
                           device Faults* faults [[buffer(9)]],
                           uint group [[threadgroup_position_in_grid]],
                           uint index [[thread_position_in_threadgroup]],
                           uint threads [[threads_per_threadgroup]]) {
  threadgroup float values[256];
  const Positions line = positions_of(outer, group);
  // Apart, since the largest may be so large that their sum loses digits.
  float largest = 0, log_sum = 0;
  if (p.takes_softmax != 0) {
    LongSum<float> sum = {0, 0};
    largest = -INFINITY;
    for (uint i = index; i < inner.count; i += threads) {
      largest = larger(largest, float(scores[line.at[0] + positions_of(inner, i).at[0]]));
    }
    largest = threadgroup_reduce(values, largest, true, index, threads);
    for (uint i = index; i < inner.count; i += threads) {
      sum = plus(sum, exp(float(scores[line.at[0] + positions_of(inner, i).at[0]]) - largest));
    }
    log_sum = log(threadgroup_reduce(values, total(sum), false, index, threads));
  }
  if (p.writes_logarithms != 0) {
    for (uint i = index; i < inner.count; i += threads) {
      const Positions along = positions_of(inner, i);
      const float score = float(scores[line.at[0] + along.at[0]]);
      logarithms[line.at[2] + along.at[1]] = T(score - largest - log_sum);
    }
  }
  if (index != 0) return;
  const long label = long(labels[line.at[1]]);
  const bool counts = p.has_ignored == 0 || label != p.ignored;
  const bool is_class = label >= 0 && label < long(inner.count);
  float loss = 0, weight = 0;
  if (counts && is_class) {
    weight = p.has_weights != 0
                 ? float(weights[p.weights_at + uint(label) * uint(p.weights_step)])
                 : 1.0f;
    const uint position = positions_of(inner, uint(label)).at[0];
    loss = (log_sum + (largest - float(scores[line.at[0] + position]))) * weight;
  }
  if (counts && !is_class) {
    faults->value = label;
    faults->bound = inner.count;
    faults->kind = 1;
  }
  if (p.joins != 0) {
    parts[group] = float2(loss, weight);
  } else {
    losses[line.at[3]] = T(loss);
  }
}

template [[host_name("class_loss_float_int")]] kernel decltype(class_loss<float, int>)
    class_loss<float, int>;
template [[host_name("class_loss_float_long")]] kernel decltype(class_loss<float, long>)
    class_loss<float, long>;
template [[host_name("class_loss_half_int")]] kernel decltype(class_loss<half, int>)
    class_loss<half, int>;
template [[host_name("class_loss_half_long")]] kernel decltype(class_loss<half, long>)
    class_loss<half, long>;

struct JoinParameters {
  uint count;
  uint at;
  uint divides;  // the sum by that of the weights
};

// One group.
template <typename T>
[[kernel]] void join_losses(device const float2* parts [[buffer(0)]], device T* y [[buffer(1)]],
                            constant JoinParameters& p [[buffer(2)]],
                            uint index [[thread_position_in_threadgroup]],
                            uint threads [[threads_per_threadgroup]]) {
  threadgroup float values[256];
  LongSum<float> losses = {0, 0}, weights = {0, 0};
  for (uint i = index; i < p.count; i += threads) {
    losses = plus(losses, parts[i].x);
    weights = plus(weights, parts[i].y);
  }
  const float loss = threadgroup_reduce(values, total(losses), false, index, threads);
  const float weight = threadgroup_reduce(values, total(weights), false, index, threads);
  if (index == 0) y[p.at] = T(p.divides != 0 ? loss / weight : loss);
}

template [[host_name("join_losses_float")]] kernel decltype(join_losses<float>) join_losses<float>;
template [[host_name("join_losses_half")]] kernel decltype(join_losses<half>) join_losses<half>;

#if __METAL_VERSION__ >= 310
template [[host_name("class_loss_bfloat_int")]] kernel decltype(class_loss<bfloat, int>)
    class_loss<bfloat, int>;
template [[host_name("class_loss_bfloat_long")]] kernel decltype(class_loss<bfloat, long>)
    class_loss<bfloat, long>;
template [[host_name("join_losses_bfloat")]] kernel decltype(join_losses<bfloat>)
    join_losses<bfloat>;
#endif

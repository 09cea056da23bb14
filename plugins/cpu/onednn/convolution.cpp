#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "kernels.hpp"
#include "kernels/convolution/attributes.hpp"
#include "kernels/convolution/convolution.hpp"
#include "kernels/layout.hpp"
#include "kernels/tensor_copy.hpp"
#include "kernels/unary.hpp"
#include "onednn/primitive.hpp"
#include "parallel.hpp"
#include "scratch.hpp"

namespace cpu {
namespace {

using onednn::Desc;
using onednn::Primitive;
using onednn::Reorder;
using onednn::TeamPrimitive;

constexpr int64_t small_work = int64_t{1} << 22;  // products that are not worth a second thread

bool has_extents(const sy_value& value) {
  return sy::has_known_shape(value) && sy::element_count(sy::shape_of(value)) > 0;
}

void check_convolution(const sy::Node& node) {
  for (uint32_t i = 0; i < 2; ++i) {
    if (!has_extents(node.needed_input(i))) {
      throw sy::unsupported(SY_REASON_LIMIT, "oneDNN wants shapes that are known and not empty");
    }
  }
  if (!has_extents(node.needed_output(0))) {
    throw sy::unsupported(SY_REASON_LIMIT, "oneDNN wants an output that is not empty");
  }
}

// All that a convolution of fixed shapes is made of.
struct Plan {
  explicit Plan(const sy::Node& node)
      : attributes(node),
        x(sy::shape_of(node.needed_input(0))),
        weights(sy::shape_of(node.needed_input(1))),
        y(sy::shape_of(node.needed_output(0))),
        dtype(node.needed_input(0).dtype),
        has_bias(node.input(2) != nullptr),
        shape(attributes.shape(x, weights, y)),
        turns(x.rank == 4 && x[3] == 1 && weights[3] == 1 && y[3] == 1) {}

  // oneDNN's kernels work along the last axis. Where that has one element it changes places with
  // the axis before, which moves no byte.
  sy::Dimensions turned(sy::Dimensions extents) const {
    if (turns) std::swap(extents[extents.rank - 1], extents[extents.rank - 2]);
    return extents;
  }

  // [O, I, ...], or [G, O / G, I / G, ...] of groups.
  sy::Dimensions weight_extents() const {
    if (attributes.groups == 1) return turned(weights);
    sy::Dimensions made;
    made.rank = weights.rank + 1;
    made[0] = attributes.groups;
    made[1] = weights[0] / attributes.groups;
    for (uint32_t i = 1; i < weights.rank; ++i) made[i + 1] = weights[i];
    return turned(made);
  }

  Desc plain_weights() const { return onednn::desc_of(dtype, weight_extents()); }
  Desc best_weights() const {
    const sy::Dimensions extents = weight_extents();
    return Desc({extents.data.begin(), extents.data.begin() + extents.rank}, onednn::type_of(dtype),
                dnnl::memory::format_tag::any);
  }
  Desc last(const sy::Dimensions& given) const {
    const sy::Dimensions extents = turned(given);
    return onednn::desc_of(dtype, extents, channels_last_strides(extents).data.data());
  }
  bool is_small() const {
    return shape.batch * shape.outputs() * volume(shape.window.output) * shape.depth() <=
           small_work;
  }

  dnnl::convolution_forward::primitive_desc describe(const Desc& weight_desc) const {
    const size_t first = spatial_rank - (x.rank - 2);
    dnnl::memory::dims strides, dilations, before, after;
    for (size_t axis = first; axis < spatial_rank; ++axis) {
      strides.push_back(shape.window.stride[axis]);
      dilations.push_back(shape.window.dilation[axis] - 1);
      before.push_back(shape.window.pad[axis]);
      after.push_back(shape.window.pad_after(axis));
    }
    if (turns) {
      for (auto* numbers : {&strides, &dilations, &before, &after}) {
        std::swap((*numbers)[0], (*numbers)[1]);
      }
    }
    const auto kind = dnnl::prop_kind::forward_inference;
    const auto how = dnnl::algorithm::convolution_direct;
    const Desc bias({y[1]}, onednn::type_of(dtype), dnnl::memory::dims{1});
    using Operation = dnnl::convolution_forward::desc;
    const Operation operation = has_bias ? Operation(kind, how, last(x), weight_desc, bias, last(y),
                                                     strides, dilations, before, after)
                                         : Operation(kind, how, last(x), weight_desc, last(y),
                                                     strides, dilations, before, after);
    return {operation, onednn::with_scratchpad(), onednn::engine()};
  }

  TeamPrimitive::Made make(const Desc& weight_desc) const {
    const auto made = describe(weight_desc);
    std::vector<Primitive::Argument> arguments = {{DNNL_ARG_SRC, made.src_desc()},
                                                  {DNNL_ARG_WEIGHTS, made.weights_desc()},
                                                  {DNNL_ARG_DST, made.dst_desc()}};
    if (has_bias) arguments.push_back({DNNL_ARG_BIAS, made.bias_desc()});
    arguments.push_back({DNNL_ARG_SCRATCHPAD, made.scratchpad_desc()});
    return {std::make_shared<Primitive>(dnnl::convolution_forward(made), std::move(arguments)),
            made.scratchpad_desc().get_size()};
  }

  ConvolutionAttributes attributes;
  sy::Dimensions x, weights, y;
  sy_dtype dtype;
  bool has_bias;
  ConvolutionShape shape;
  bool turns;
};

uint64_t aligned(uint64_t bytes) { return (bytes + 63) / 64 * 64; }

// Inputs and outputs are channels-last; others are copied on their way in and out.
class Convolution {
 public:
  Convolution(const sy::Node& node, const Plan& plan, const Desc& weight_desc, bool alone)
      : plan_(plan), primitive_(alone, [plan, weight_desc] { return plan.make(weight_desc); }) {
    const sy_value& x = node.needed_input(0);
    copies_input_ = x.strides == nullptr ? !proposed_channels_last(plan.x).empty()
                                         : !is_channels_last(plan.x, x.strides);
    if (copies_input_) input_bytes_ = aligned(plan.last(plan.x).get_size());
    const sy_value& weights = node.needed_input(1);
    const Desc plain = plan.plain_weights();
    if (weight_desc == plain) return;
    weight_bytes_ = weight_desc.get_size();
    if (sy::is_constant(weights) && weights.data != nullptr) {
      packed_ = onednn::packed_in(weights, plain, weight_desc);
    } else {
      reorder_ = std::make_unique<Reorder>(plain, weight_desc);
    }
  }

  uint64_t workspace_bytes() const {
    return input_bytes_ + (reorder_ ? aligned(weight_bytes_) : 0) + primitive_.scratchpad_bytes();
  }
  const std::shared_ptr<const void>& packed() const { return packed_; }
  uint64_t weight_bytes() const { return weight_bytes_; }

  void run(Call& call) const {
    auto* workspace = static_cast<char*>(call.workspace());
    const Tensor& y = call.output(0);
    const bool writes_directly = is_channels_last(y.shape, y.strides.data());
    const Scratch<char> room(
        writes_directly ? 0 : static_cast<int64_t>(plan_.last(plan_.y).get_size()));
    std::array<void*, 5> data;
    size_t count = 0;
    data[count++] = input(call.input(0), workspace);
    workspace += input_bytes_;
    const Scratch<char> weight_room(weight_room_size(call.input(1)));
    data[count++] = weights(call.input(1), weight_room.data(), workspace);
    if (reorder_) workspace += aligned(weight_bytes_);
    data[count++] = writes_directly ? y.data : room.data();
    const Scratch<char> bias_room(plan_.has_bias ? y.shape[1] * 4 : 0);
    if (plan_.has_bias) data[count++] = contiguous(call.input(2), bias_room.data());
    data[count++] = workspace;
    primitive_.run(std::span(data).first(count));
    if (writes_directly) return;
    const sy::Dimensions strides = channels_last_strides(plan_.y);
    copy_tensor({plan_.dtype, room.data(), plan_.y, strides}, y);
  }

 private:
  void* input(const Tensor& x, char* room) const {
    if (is_channels_last(x.shape, x.strides.data())) return x.data;
    if (!copies_input_) throw sy::bug("Conv: the input's strides are not those of its description");
    const sy::Dimensions strides = channels_last_strides(plan_.x);
    copy_tensor(x, {plan_.dtype, room, plan_.x, strides});
    return room;
  }

  int64_t weight_room_size(const Tensor& weights) const {
    const bool copies =
        packed_ == nullptr && !sy::is_contiguous(weights.shape, weights.strides.data());
    return copies ? weights.size() * static_cast<int64_t>(sizeof(float)) : 0;
  }

  void* weights(const Tensor& tensor, char* room, char* workspace) const {
    if (packed_ != nullptr) return const_cast<void*>(packed_.get());
    void* plain = contiguous(tensor, room);
    if (!reorder_) return plain;
    reorder_->run(plain, workspace);
    return workspace;
  }

  static void* contiguous(const Tensor& tensor, char* room) {
    if (sy::is_contiguous(tensor.shape, tensor.strides.data())) return tensor.data;
    copy_tensor(tensor, ContiguousTensor(tensor.dtype, room, tensor.shape).get());
    return room;
  }

  Plan plan_;
  TeamPrimitive primitive_;
  std::shared_ptr<const void> packed_;  // constant weights
  std::unique_ptr<Reorder> reorder_;    // of other weights
  uint64_t weight_bytes_ = 0;
  uint64_t input_bytes_ = 0;
  bool copies_input_ = false;
};

// The layout of weights that oneDNN takes of those asked for, for so many threads; nothing if it
// has no fast code.
std::optional<Desc> fast_weights(const Plan& plan, const Desc& asked, int threads) {
  onednn::set_threads(threads);
  try {
    const auto described = plan.describe(asked);
    if (onednn::is_reference(described.impl_info_str())) return std::nullopt;
    return described.weights_desc();
  } catch (const dnnl::error&) {
    return std::nullopt;
  }
}

struct Choice {
  Desc weights;
  bool alone;  // never on the team
};

// The weights are packed once, for the team and for a caller who comes while it is busy: a layout
// must be fast for both, or else nobody uses the team.
std::optional<Choice> choose_weights(const Plan& plan) {
  const int threads = plan.is_small() ? 1 : thread_count();
  const auto for_one = fast_weights(plan, plan.best_weights(), 1);
  if (threads > 1) {
    for (const auto& layout : {fast_weights(plan, plan.best_weights(), threads), for_one}) {
      if (layout && fast_weights(plan, *layout, 1) && fast_weights(plan, *layout, threads)) {
        return Choice{*layout, false};
      }
    }
  }
  if (!for_one) return std::nullopt;
  return Choice{*for_one, true};
}

// What oneDNN has no fast code for is computed by the plain kernel.
Prepared make_convolution(const sy::Node& node) {
  const Plan plan(node);
  const std::optional<Choice> choice = choose_weights(plan);
  if (!choice) return plain_convolution(node);
  const auto kernel =
      std::make_shared<const Convolution>(node, plan, choice->weights, choice->alone);
  Prepared made;
  made.workspace_bytes = kernel->workspace_bytes();
  made.specialised_on = SY_ON_SHAPE | SY_ON_STRIDES;
  made.outputs = {{.strides = proposed_channels_last(plan.y)}};
  if (kernel->packed() != nullptr) made.packed = {{1, kernel->packed(), kernel->weight_bytes()}};
  made.run = [kernel](Call& call) { kernel->run(call); };
  return made;
}

constexpr uint64_t dtypes = SY_DTYPE_BIT(SY_FLOAT32) | SY_DTYPE_BIT(SY_BFLOAT16);

constexpr KernelRow rows[] = {
    {"Conv", dtypes, dtypes, make_convolution, check_convolution, any_strides, "", 1, UINT32_MAX, 1,
     5},
};

}  // namespace

KernelTable onednn_convolution_kernels() { return rows; }

}  // namespace cpu

#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "gemm/long_sums.hpp"
#include "kernels/convolution/convolution.hpp"
#include "kernels/elementwise/unary.hpp"
#include "kernels/kernels.hpp"
#include "kernels/onednn/convolution_plan.hpp"
#include "loops/layout.hpp"
#include "loops/tensor_copy.hpp"
#include "machine/scratch.hpp"

namespace cpu {
namespace {

using onednn::Desc;
using onednn::Primitive;
using onednn::Reorder;
using onednn::TeamPrimitive;

struct Plan : onednn::ConvolutionPlan {
  explicit Plan(const sy::Node& node)
      : ConvolutionPlan(node, node.required_input(0), node.required_input(1),
                        node.required_output(0)),
        has_bias(node.input(2) != nullptr) {}

  dnnl::convolution_forward::primitive_desc describe(const Desc& weight_desc) const {
    const Windows over = windows();
    const auto kind = dnnl::prop_kind::forward_inference;
    const auto how = dnnl::algorithm::convolution_direct;
    const Desc bias({y[1]}, onednn::type_of(dtype), dnnl::memory::dims{1});
    const auto attributes = onednn::with_scratchpad();
    using Operation = dnnl::convolution_forward;
    if (!has_bias) {
      return onednn::describe<Operation>(attributes, kind, how, last(x), weight_desc, last(y),
                                         over.strides, over.dilations, over.before, over.after);
    }
    return onednn::describe<Operation>(attributes, kind, how, last(x), weight_desc, bias, last(y),
                                       over.strides, over.dilations, over.before, over.after);
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

  TeamPrimitive::Made make_for_one(const Desc& weight_desc) const {
    return onednn::made_for_one(
        best_weights(), weight_desc, [&](const Desc& asked) { return fast(asked); },
        [&](const Desc& chosen) { return make(chosen); });
  }

  // The weights that fast code takes of those asked for.
  std::optional<Desc> fast(const Desc& asked) const {
    const auto described = describe(asked);
    if (onednn::is_reference(described.impl_info_str())) return std::nullopt;
    return described.weights_desc();
  }

  bool has_bias;
};

uint64_t aligned(uint64_t bytes) { return (bytes + 63) / 64 * 64; }

// Inputs and outputs are channels-last; others are copied on their way in and out.
class Convolution final : public Kernel {
 public:
  Convolution(const sy::Node& node, const Plan& plan, const Desc& weight_desc, bool alone)
      : plan_(plan),
        primitive_(
            alone, plan.work(), [&] { return plan.make(weight_desc); },
            [plan, weight_desc] { return plan.make_for_one(weight_desc); }) {
    const sy_value& x = node.required_input(0);
    copies_input_ = x.strides == nullptr ? !proposed_channels_last(plan.x).empty()
                                         : !is_channels_last(plan.x, x.strides);
    if (copies_input_) input_bytes_ = aligned(plan.last(plan.x).get_size());
    const sy_value& weights = node.required_input(1);
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

  void run(const RunArguments& arguments) const override {
    Call call(arguments);
    auto* workspace = static_cast<char*>(call.workspace());
    const Tensor& y = call.output(0);
    const bool writes_directly = is_channels_last(y.shape, y.strides.data());
    const Scratch<char> room(
        writes_directly ? 0 : static_cast<int64_t>(plan_.last(plan_.y).get_size()));
    std::array<const void*, 5> data;
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
    primitive_.run(std::span(data).first(count), packed_ != nullptr);
    if (writes_directly) return;
    const sy::Dimensions strides = channels_last_strides(plan_.y);
    copy_tensor({plan_.dtype, room.data(), plan_.y, strides}, y);
  }

 private:
  const void* input(const ConstTensor& x, char* room) const {
    if (is_channels_last(x.shape, x.strides.data())) return x.data;
    if (!copies_input_) throw sy::bug("Conv: the input's strides are not those of its description");
    const sy::Dimensions strides = channels_last_strides(plan_.x);
    copy_tensor(x, {plan_.dtype, room, plan_.x, strides});
    return room;
  }

  int64_t weight_room_size(const ConstTensor& weights) const {
    const bool copies =
        packed_ == nullptr && !sy::is_contiguous(weights.shape, weights.strides.data());
    return copies ? weights.size() * static_cast<int64_t>(sizeof(float)) : 0;
  }

  const void* weights(const ConstTensor& tensor, char* room, char* workspace) const {
    if (packed_ != nullptr) return packed_.get();
    const void* plain = contiguous(tensor, room);
    if (!reorder_) return plain;
    reorder_->run(plain, workspace);
    return workspace;
  }

  static const void* contiguous(const ConstTensor& tensor, char* room) {
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

// What oneDNN has no fast code for is computed by the plain kernel.
Prepared make_convolution(const sy::Node& node) {
  const Plan plan(node);
  if (plan.shape.depth() > most_foreign_sums || !plan.is_within_reach()) {
    return plain_convolution(node);
  }
  const auto choice = onednn::choose_weights(plan.best_weights(), plan.is_small(),
                                             [&](const Desc& asked) { return plan.fast(asked); });
  if (!choice) return plain_convolution(node);
  auto kernel = std::make_unique<const Convolution>(node, plan, choice->weights, choice->alone);
  Prepared made;
  made.workspace_bytes = kernel->workspace_bytes();
  made.specialised_on = SY_ON_SHAPE | SY_ON_STRIDES;
  made.outputs = {{.strides = proposed_channels_last(plan.y)}};
  if (kernel->packed() != nullptr) made.packed = {{1, kernel->packed(), kernel->weight_bytes()}};
  made.kernel = std::move(kernel);
  return made;
}

constexpr KernelRow onednn_convolution_rows[] = {
    {"Conv", onednn_types, onednn_types, make_convolution, onednn::check_convolution_shapes,
     any_strides, "", 1, UINT32_MAX, 1, 5},
};

}  // namespace

KernelTable onednn_convolution_kernels() { return onednn_convolution_rows; }

}  // namespace cpu

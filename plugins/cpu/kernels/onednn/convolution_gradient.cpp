#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "gemm/long_sums.hpp"
#include "kernels/convolution/gradients.hpp"
#include "kernels/elementwise/unary.hpp"
#include "kernels/kernels.hpp"
#include "kernels/onednn/convolution_plan.hpp"
#include "loops/layout.hpp"
#include "loops/tensor_copy.hpp"
#include "machine/parallel.hpp"
#include "machine/scratch.hpp"

namespace cpu {
namespace {

using onednn::ConvolutionPlan;
using onednn::Desc;
using onednn::Primitive;
using onednn::Reorder;
using onednn::TeamPrimitive;

// A Tensor or ConstTensor in the layout that a primitive reads or writes: its own memory, or room
// beside it.
template <typename Whole>
class PackedOperand {
 public:
  PackedOperand(const Whole& tensor, const sy::Dimensions& strides, bool has_layout)
      : tensor_(tensor),
        strides_(strides),
        has_layout_(has_layout),
        buffer_(has_layout ? 0
                           : tensor.size() * static_cast<int64_t>(sy::dtype_bytes(tensor.dtype))) {}

  decltype(Whole::data) data() const { return has_layout_ ? tensor_.data : buffer_.data(); }
  const void* read() const {
    if (!has_layout_) copy_tensor(tensor_, beside());
    return data();
  }
  void write_back() const {
    if (!has_layout_) copy_tensor(beside(), tensor_);
  }

 private:
  Tensor beside() const { return {tensor_.dtype, buffer_.data(), tensor_.shape, strides_}; }

  const Whole& tensor_;
  sy::Dimensions strides_;
  bool has_layout_;
  Scratch<char> buffer_;
};

template <typename Whole>
PackedOperand<Whole> packed_image(const Whole& tensor) {
  return {tensor, channels_last_strides(tensor.shape),
          is_channels_last(tensor.shape, tensor.strides.data())};
}

template <typename Whole>
PackedOperand<Whole> packed_weights(const Whole& tensor) {
  return {tensor, sy::contiguous_strides(tensor.shape),
          sy::is_contiguous(tensor.shape, tensor.strides.data())};
}

dnnl::convolution_forward::primitive_desc describe_forward(const ConvolutionPlan& plan,
                                                           const Desc& weights) {
  const ConvolutionPlan::Windows over = plan.windows();
  return onednn::describe<dnnl::convolution_forward>(
      {}, dnnl::prop_kind::forward_training, dnnl::algorithm::convolution_direct, plan.last(plan.x),
      weights, plan.last(plan.y), over.strides, over.dilations, over.before, over.after);
}

template <typename Operation>
typename Operation::primitive_desc describe(const ConvolutionPlan& plan, const Desc& weights) {
  const ConvolutionPlan::Windows over = plan.windows();
  return onednn::describe_gradient<Operation>(
      onednn::with_scratchpad(), describe_forward(plan, plan.best_weights()),
      dnnl::algorithm::convolution_direct, plan.last(plan.x), weights, plan.last(plan.y),
      over.strides, over.dilations, over.before, over.after);
}

// What the two gradients differ in.
struct InputGradient {
  using Operation = dnnl::convolution_backward_data;
  static constexpr auto plain = plain_conv_input_gradient;

  static ConvolutionPlan plan(const sy::Node& node) {
    return {node, node.required_output(0), node.required_input(1), node.required_input(0)};
  }
  static Desc weights_of(const Operation::primitive_desc& made) { return made.weights_desc(); }
  // A lone channel would be computed as a whole vector of them.
  static bool is_left_to_plain(const ConvolutionPlan& plan) {
    const int64_t terms = plan.shape.group_outputs * volume(plan.shape.window.kernel);
    return plan.x[1] == 1 || terms > most_foreign_sums;
  }
  static std::vector<Primitive::Argument> arguments(const Operation::primitive_desc& made) {
    return {{DNNL_ARG_DIFF_DST, made.diff_dst_desc()},
            {DNNL_ARG_WEIGHTS, made.weights_desc()},
            {DNNL_ARG_DIFF_SRC, made.diff_src_desc()},
            {DNNL_ARG_SCRATCHPAD, made.scratchpad_desc()}};
  }
};

struct WeightGradient {
  using Operation = dnnl::convolution_backward_weights;
  static constexpr auto plain = plain_conv_weight_gradient;

  static ConvolutionPlan plan(const sy::Node& node) {
    return {node, node.required_input(0), node.required_output(0), node.required_input(1)};
  }
  static Desc weights_of(const Operation::primitive_desc& made) { return made.diff_weights_desc(); }
  // oneDNN's code for bfloat16 takes more than the input where that is narrower than a step, and
  // counts memory that it never wrote where windows of volumes reach into the padding of the depth.
  static bool is_left_to_plain(const ConvolutionPlan& plan) {
    // Its sums over an image are of several accumulators only where channels fill a vector.
    const int64_t accumulators = plan.shape.group_inputs % 16 == 0 ? 8 : 1;
    if (volume(plan.shape.window.output) > accumulators * most_foreign_sums) return true;
    if (plan.dtype != SY_BFLOAT16) return false;
    const size_t axes = plan.x.rank - 2;
    if (axes == 3) return true;
    for (size_t axis = 0; axis < axes; ++axis) {
      const int64_t step = plan.shape.window.stride[spatial_rank - axes + axis];
      if (plan.x[2 + axis] < step) return true;
    }
    return false;
  }
  static std::vector<Primitive::Argument> arguments(const Operation::primitive_desc& made) {
    return {{DNNL_ARG_SRC, made.src_desc()},
            {DNNL_ARG_DIFF_DST, made.diff_dst_desc()},
            {DNNL_ARG_DIFF_WEIGHTS, made.diff_weights_desc()},
            {DNNL_ARG_SCRATCHPAD, made.scratchpad_desc()}};
  }
};

template <typename Kind>
TeamPrimitive::Made make_primitive(const ConvolutionPlan& plan, const Desc& weights) {
  const auto made = describe<typename Kind::Operation>(plan, weights);
  return {std::make_shared<Primitive>(typename Kind::Operation(made), Kind::arguments(made)),
          made.scratchpad_desc().get_size()};
}

// The weights that fast code takes of those asked for.
template <typename Kind>
std::optional<Desc> fast(const ConvolutionPlan& plan, const Desc& asked) {
  const auto described = describe<typename Kind::Operation>(plan, asked);
  if (onednn::is_reference(described.impl_info_str())) return std::nullopt;
  return Kind::weights_of(described);
}

// Only what reads weights can read a copy of them.
template <typename Kind>
TeamPrimitive::Made make_for_one(const ConvolutionPlan& plan, const Desc& weights) {
  const auto make = [&](const Desc& chosen) { return make_primitive<Kind>(plan, chosen); };
  if constexpr (std::is_same_v<Kind, WeightGradient>) {
    return make(weights);
  } else {
    return onednn::made_for_one(
        plan.best_weights(), weights, [&](const Desc& asked) { return fast<Kind>(plan, asked); },
        make);
  }
}

// Images that are not channels-last, and weights that oneDNN wants otherwise, are copied.
template <typename Kind>
class Gradient final : public Kernel {
 public:
  Gradient(const ConvolutionPlan& plan, const Desc& weights, bool alone)
      : weight_bytes_(weights.get_size()),
        primitive_(
            alone, plan.work(), [&] { return make_primitive<Kind>(plan, weights); },
            [plan, weights] { return make_for_one<Kind>(plan, weights); },
            std::is_same_v<Kind, WeightGradient>) {
    const Desc plain = plan.plain_weights();
    if (weights == plain) return;
    constexpr bool reads = std::is_same_v<Kind, InputGradient>;
    reorder_ = reads ? std::make_unique<Reorder>(plain, weights)
                     : std::make_unique<Reorder>(weights, plain);
  }

  uint64_t workspace_bytes() const { return primitive_.scratchpad_bytes(); }

  void run(const RunArguments& arguments) const override {
    Call call(arguments);
    const Scratch<char> room(reorder_ ? static_cast<int64_t>(weight_bytes_) : 0);
    if constexpr (std::is_same_v<Kind, InputGradient>) {
      const auto dx = packed_image(call.output(0));
      const auto dy = packed_image(call.input(0));
      const auto weights = packed_weights(call.input(1));
      const void* w = weights.read();
      if (reorder_) {
        reorder_->run(w, room.data());
        w = room.data();
      }
      run_on(dy.read(), w, dx.data(), call);
      dx.write_back();
    } else {
      const auto dw = packed_weights(call.output(0));
      const auto x = packed_image(call.input(0));
      const auto dy = packed_image(call.input(1));
      run_on(x.read(), dy.read(), reorder_ ? room.data() : dw.data(), call);
      if (reorder_) reorder_->run(room.data(), dw.data());
      dw.write_back();
    }
  }

 private:
  void run_on(const void* first, const void* second, void* result, Call& call) const {
    std::array<const void*, 4> data = {first, second, result, call.workspace()};
    primitive_.run(data);
  }

  uint64_t weight_bytes_;
  TeamPrimitive primitive_;
  std::unique_ptr<Reorder> reorder_;
};

// How many parts of equal numbers of images the sum over images is cut into: as many as are worth a
// thread each, as long as joining them costs little. It follows from the shapes alone.
int64_t parts_of(const ConvolutionPlan& plan) {
  constexpr int64_t least_work = int64_t{1} << 21, most_bytes = int64_t{16} << 20, most_parts = 32;
  constexpr int64_t positions_per_part = 256;
  const int64_t positions = plan.shape.batch * volume(plan.shape.window.output);
  const int64_t weights = plan.shape.outputs() * plan.shape.depth();
  const int64_t bytes = weights * static_cast<int64_t>(sizeof(float));
  int64_t parts = std::min({most_parts, plan.shape.batch, positions / positions_per_part,
                            positions * weights / least_work, most_bytes / bytes});
  while (parts > 1 && plan.shape.batch % parts != 0) --parts;
  return std::max<int64_t>(parts, 1);
}

// The gradient by weights as a sum of parts, each of some images and made by one thread. Unlike
// oneDNN's own team it waits for nobody, and gives the same for any number of threads.
class PartedWeightGradient final : public Kernel {
 public:
  PartedWeightGradient(const ConvolutionPlan& plan, const Desc& weights, int64_t parts)
      : parts_(parts),
        part_bytes_(static_cast<int64_t>(weights.get_size())),
        x_bytes_(plan.x[0] / parts * image_bytes(plan.x)),
        dy_bytes_(plan.y[0] / parts * image_bytes(plan.y)),
        primitive_(true, plan.work(),
                   [&] {
                     return make_primitive<WeightGradient>(plan.of_images(plan.x[0] / parts),
                                                           weights);
                   },
                   {}) {
    const Desc plain = plan.plain_weights();
    if (weights != plain) reorder_ = std::make_unique<Reorder>(weights, plain);
  }

  void run(const RunArguments& arguments) const override {
    Call call(arguments);
    const auto dw = packed_weights(call.output(0));
    const auto x = packed_image(call.input(0));
    const auto dy = packed_image(call.input(1));
    const auto* images = static_cast<const char*>(x.read());
    const auto* grads = static_cast<const char*>(dy.read());
    const Scratch<char> sums(parts_ * part_bytes_);
    parallel_for(parts_, 1, [&](int64_t begin, int64_t end) {
      const ScratchBytes scratchpad(primitive_.scratchpad_bytes());
      for (int64_t part = begin; part < end; ++part) {
        std::array<const void*, 4> data = {images + part * x_bytes_, grads + part * dy_bytes_,
                                           sums.data() + part * part_bytes_, scratchpad.data()};
        primitive_.run(data);
      }
    });
    auto* joined = static_cast<char*>(reorder_ ? sums.data() : dw.data());
    join(reinterpret_cast<const float*>(sums.data()), reinterpret_cast<float*>(joined));
    if (reorder_) reorder_->run(joined, dw.data());
    dw.write_back();
  }

 private:
  static int64_t image_bytes(const sy::Dimensions& shape) {
    return sy::element_count(sy::Extents(shape).subspan(1)) * static_cast<int64_t>(sizeof(float));
  }

  // The parts in their order; `joined` may be the first.
  void join(const float* sums, float* joined) const {
    const int64_t count = part_bytes_ / static_cast<int64_t>(sizeof(float));
    parallel_for(count, std::max<int64_t>(1, 131072 / parts_), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) joined[i] = sums[i] + sums[count + i];
      for (int64_t part = 2; part < parts_; ++part) {
        for (int64_t i = begin; i < end; ++i) joined[i] += sums[part * count + i];
      }
    });
  }

  int64_t parts_, part_bytes_, x_bytes_, dy_bytes_;
  TeamPrimitive primitive_;
  std::unique_ptr<Reorder> reorder_;
};

// A layout of weights that oneDNN has fast code for.
template <typename Kind>
std::optional<onednn::WeightsChoice> choose(const ConvolutionPlan& plan, bool small) {
  return onednn::choose_weights(plan.best_weights(), small,
                                [&](const Desc& asked) { return fast<Kind>(plan, asked); });
}

// Nothing for fewer parts.
std::optional<Prepared> make_parted(const ConvolutionPlan& plan, int64_t least_parts) {
  if (plan.dtype != SY_FLOAT32) return std::nullopt;
  const int64_t parts = parts_of(plan);
  if (parts < least_parts) return std::nullopt;
  const auto choice = choose<WeightGradient>(plan.of_images(plan.x[0] / parts), true);
  if (!choice) return std::nullopt;
  auto kernel = std::make_unique<const PartedWeightGradient>(plan, choice->weights, parts);
  Prepared made;
  made.specialised_on = SY_ON_SHAPE | SY_ON_DATA;  // the result's shape is an input
  made.kernel = std::move(kernel);
  return made;
}

// What oneDNN has no fast code for is computed by the plain kernel.
template <typename Kind>
Prepared make_gradient(const sy::Node& node) {
  const ConvolutionPlan plan = Kind::plan(node);
  if (Kind::is_left_to_plain(plan) || !plan.is_within_reach()) return Kind::plain(node);
  if constexpr (std::is_same_v<Kind, WeightGradient>) {
    const bool is_deterministic = node.may_use(SY_MATH_DETERMINISTIC);
    // Else a team as large as ours shall be busy with the parts.
    const int64_t least_parts = is_deterministic ? 2 : std::max(2, thread_count());
    if (auto parted = make_parted(plan, least_parts)) return *std::move(parted);
    if (is_deterministic) return Kind::plain(node);  // oneDNN's sums depend on the team
  }
  const auto choice = choose<Kind>(plan, plan.is_small());
  if (!choice) return Kind::plain(node);
  auto kernel = std::make_unique<const Gradient<Kind>>(plan, choice->weights, choice->alone);
  Prepared made;
  made.workspace_bytes = kernel->workspace_bytes();
  made.specialised_on = SY_ON_SHAPE | SY_ON_DATA;  // the result's shape is an input
  if constexpr (std::is_same_v<Kind, InputGradient>) {
    made.outputs = {{.strides = proposed_channels_last(plan.x)}};
  }
  made.kernel = std::move(kernel);
  return made;
}

constexpr KernelRow onednn_convolution_gradient_rows[] = {
    {"ConvInputGradient", onednn_types, onednn_types, make_gradient<InputGradient>,
     onednn::check_convolution_shapes, any_strides, "switchyard", 1, UINT32_MAX, 3, 5},
    {"ConvWeightGradient", onednn_types, onednn_types, make_gradient<WeightGradient>,
     onednn::check_convolution_shapes, any_strides, "switchyard", 1, UINT32_MAX, 3, 5},
};

}  // namespace

KernelTable onednn_convolution_gradient_kernels() { return onednn_convolution_gradient_rows; }

}  // namespace cpu

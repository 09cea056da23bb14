#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "kernels/elementwise/unary.hpp"
#include "kernels/kernels.hpp"
#include "kernels/onednn/product_plan.hpp"
#include "kernels/products/plain_products.hpp"
#include "loops/tensor_copy.hpp"
#include "machine/scratch.hpp"
#include "onednn/weights_choice.hpp"

namespace cpu {
namespace {

using onednn::Desc;
using onednn::MatrixStack;
using onednn::Primitive;
using onednn::ProductPlan;
using onednn::TeamPrimitive;
using onednn::TurnedTensor;
using onednn::WeightsChoice;

dnnl::primitive_attr attributes_of(const ProductPlan& plan) {
  dnnl::primitive_attr made = onednn::with_scratchpad();
  dnnl::post_ops after;
  if (plan.alpha != 1) onednn::append_scaling(after, static_cast<float>(plan.alpha));
  if (plan.beta != 0) after.append_sum(static_cast<float>(plan.beta));
  made.set_post_ops(after);
  return made;
}

dnnl::matmul::primitive_desc describe(const ProductPlan& plan, const Desc& right) {
  return onednn::describe<dnnl::matmul>(attributes_of(plan), plan.left(), right, plan.output());
}

TeamPrimitive::Made make_primitive(const ProductPlan& plan, const Desc& right) {
  const auto made = describe(plan, right);
  std::vector<Primitive::Argument> arguments = {{DNNL_ARG_SRC, made.src_desc()},
                                                {DNNL_ARG_WEIGHTS, made.weights_desc()},
                                                {DNNL_ARG_DST, made.dst_desc()},
                                                {DNNL_ARG_SCRATCHPAD, made.scratchpad_desc()}};
  return {std::make_shared<Primitive>(dnnl::matmul(made), std::move(arguments)),
          made.scratchpad_desc().get_size()};
}

// The right matrix that fast code takes of those asked for.
std::optional<Desc> fast(const ProductPlan& plan, const Desc& asked) {
  const auto described = describe(plan, asked);
  if (onednn::is_reference(described.impl_info_str())) return std::nullopt;
  return described.weights_desc();
}

TeamPrimitive::Made make_for_one(const ProductPlan& plan, const Desc& right) {
  return onednn::made_for_one(
      plan.best_right(), right, [&](const Desc& asked) { return fast(plan, asked); },
      [&](const Desc& chosen) { return make_primitive(plan, chosen); });
}

bool has_layout(const ConstTensor& tensor, const MatrixStack& stack) {
  if (tensor.dtype != SY_BFLOAT16) return false;
  for (uint32_t axis = 0; axis < stack.shape.rank; ++axis) {
    if (stack.shape[axis] != 1 && tensor.strides[axis] != stack.strides[axis]) return false;
  }
  return true;
}

// An operand where the primitive wants it: in place, or in a copy.
class Operand {
 public:
  Operand(const ConstTensor& given, bool turned, const MatrixStack& stack, bool is_packed = false)
      : from_(given, turned),
        in_place_(is_packed || has_layout(from_.tensor, stack)),
        room_(in_place_ ? 0 : from_.tensor.size()) {
    if (in_place_) return;
    const TurnedTensor source(from_.tensor, stack.by_columns);  // written in the order of memory
    copy_tensor(source.tensor, ContiguousTensor(SY_BFLOAT16, room_.data(), source.shape).get());
  }

  const void* data() const { return in_place_ ? from_.tensor.data : room_.data(); }

 private:
  TurnedTensor from_;
  bool in_place_;
  Scratch<uint16_t> room_;
};

class Product final : public Kernel {
 public:
  Product(const sy_value& right, const ProductPlan& plan, const WeightsChoice& choice)
      : plan_(plan),
        primitive_(
            choice.alone, plan.work(), [&] { return make_primitive(plan, choice.weights); },
            [plan, weights = choice.weights] { return make_for_one(plan, weights); }) {
    if (choice.weights == plan.right()) return;
    packed_bytes_ = choice.weights.get_size();
    packed_ = onednn::packed_in(right, plan.right(plan.dtype), choice.weights);
  }

  uint64_t workspace_bytes() const { return primitive_.scratchpad_bytes(); }
  const std::shared_ptr<const void>& packed() const { return packed_; }
  uint64_t packed_bytes() const { return packed_bytes_; }

  void run(const RunArguments& arguments) const override {
    Call call(arguments);
    const Tensor& y = call.output(0);
    const bool writes_directly = sy::is_contiguous(y.shape, y.strides.data());
    const auto bytes = static_cast<int64_t>(sy::dtype_bytes(y.dtype));
    const Scratch<char> room(writes_directly ? 0 : y.size() * bytes);
    const ContiguousTensor sums(y.dtype, writes_directly ? y.data : room.data(), y.shape);
    const Operand left(call.input(0), plan_.left_turned, plan_.a);
    const Operand right(call.input(1), plan_.right_turned, plan_.b, packed_ != nullptr);
    if (plan_.beta != 0) copy_tensor(call.input(2), sums.get());
    const void* weights = packed_ != nullptr ? packed_.get() : right.data();
    std::array<const void*, 4> data = {left.data(), weights, sums.get().data, call.workspace()};
    primitive_.run(data, packed_ != nullptr);
    if (!writes_directly) copy_tensor(sums.get(), y);
  }

 private:
  ProductPlan plan_;
  TeamPrimitive primitive_;
  std::shared_ptr<const void> packed_;  // the right operand, if it is constant
  uint64_t packed_bytes_ = 0;
};

// Nothing if oneDNN has no fast code. Constants lie as it likes best, unless the team could not
// use them so.
std::optional<WeightsChoice> choose_right(const ProductPlan& plan) {
  const auto fast_right = [&](const Desc& asked) { return fast(plan, asked); };
  const bool small = plan.is_small();
  if (plan.right_is_constant) {
    const auto best = onednn::choose_weights(plan.best_right(), small, fast_right);
    if (best && (small || !best->alone)) return best;
  }
  return onednn::choose_weights(plan.right(), small, fast_right);
}

Prepared make_product(const sy::Node& node) {
  const ProductPlan plan(node);
  const sy_value& right = node.required_input(1);
  const auto choice = choose_right(plan);
  if (!choice) return node.op() == "Gemm" ? plain_gemm(node) : plain_matmul(node);
  auto kernel = std::make_unique<const Product>(right, plan, *choice);
  Prepared made;
  made.workspace_bytes = kernel->workspace_bytes();
  made.specialised_on = SY_ON_SHAPE | SY_ON_STRIDES;
  made.outputs = {{.may_alias_inputs = plan.beta != 0 ? 4u : 0u}};
  if (kernel->packed() != nullptr) made.packed = {{1, kernel->packed(), kernel->packed_bytes()}};
  made.kernel = std::move(kernel);
  return made;
}

void check_product(const sy::Node& node) {
  if (!onednn::multiplies_bfloat16()) {
    throw sy::unsupported(SY_REASON_DTYPE, "this processor does not multiply bfloat16 itself");
  }
  static_cast<void>(ProductPlan(node));
}

constexpr KernelRow onednn_product_rows[] = {
    {"MatMul", onednn_types, onednn_types, make_product, check_product, any_strides, "", 1,
     UINT32_MAX, 2},
    {"Gemm", onednn_types, onednn_types, make_product, check_product, any_strides},
};

}  // namespace

KernelTable onednn_product_kernels() { return onednn_product_rows; }

}  // namespace cpu

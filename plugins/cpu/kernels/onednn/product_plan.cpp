#include "kernels/onednn/product_plan.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "gemm/long_sums.hpp"
#include "machine/work_time.hpp"

namespace cpu::onednn {
namespace {

constexpr int64_t least_rows = 8;           // of the left matrix
constexpr int64_t least_extent = 32;        // others; less does not fill the tiles
constexpr int64_t least_rounded_rows = 32;  // that pay for rounding a right matrix in each run
constexpr int64_t least_rounded_work = int64_t{1} << 17;

sy::Dimensions turned(sy::Dimensions axes) {
  std::swap(axes[axes.rank - 1], axes[axes.rank - 2]);
  return axes;
}

sy::Dimensions strides_by_columns(const sy::Dimensions& shape) {
  return turned(sy::contiguous_strides(turned(shape)));
}

bool same_where_it_matters(const sy::Dimensions& shape, const int64_t* strides,
                           const sy::Dimensions& expected) {
  for (uint32_t axis = 0; axis < shape.rank; ++axis) {
    if (shape[axis] != 1 && strides[axis] != expected[axis]) return false;
  }
  return true;
}

MatrixStack operand(const sy_value& value, bool is_turned) {
  const sy::Dimensions shape(sy::shape_of(value));
  const sy::Dimensions strides = sy::strides_or_contiguous(shape, value.strides);
  if (!is_turned) return stack_of(shape, strides.data.data());
  const sy::Dimensions other = turned(strides);
  return stack_of(turned(shape), other.data.data());
}

sy::Dimensions stack_shape(const sy::Dimensions& shape, uint32_t rank) {
  sy::Dimensions made;
  made.rank = rank;
  const uint32_t own = shape.rank - 2;
  for (uint32_t axis = 0; axis < rank; ++axis) {
    made[axis] = axis + own < rank ? 1 : shape[axis + own - rank];
  }
  return made;
}

sy::Dimensions one_axis(int64_t extent) { return sy::Dimensions(sy::Extents(&extent, 1)); }

Desc stacked(sy_dtype dtype, sy::Dimensions stack, int64_t rows, int64_t columns, bool by_columns) {
  stack.rank += 2;
  stack[stack.rank - 2] = rows;
  stack[stack.rank - 1] = columns;
  const sy::Dimensions strides =
      by_columns ? strides_by_columns(stack) : sy::contiguous_strides(stack);
  return desc_of(dtype, stack, strides.data.data());
}

// A constant that may be packed once and for all.
bool has_data(const sy_value& value) {
  return sy::is_constant(value) && value.data != nullptr &&
         sy::is_contiguous(sy::shape_of(value), value.strides);
}

void check_values(const sy::Node& node) {
  for (const sy_value* value :
       {&node.required_input(0), &node.required_input(1), &node.required_output(0)}) {
    if (!sy::has_known_shape(*value)) {
      throw sy::unsupported(SY_REASON_LIMIT, "oneDNN wants shapes that are known");
    }
    if (value->rank < 2 || value->rank + 2 > SY_MAX_RANK) {
      throw sy::unsupported(SY_REASON_RANK, "rank ", value->rank, " is not a stack of matrices");
    }
  }
  if (node.may_use(SY_MATH_DETERMINISTIC) && splits_sums()) {
    throw sy::unsupported(SY_REASON_LIMIT, "oneDNN's sums on AMX depend on the number of threads");
  }
  const sy_dtype dtype = node.required_input(0).dtype;
  if (dtype != SY_BFLOAT16 && !node.may_use(SY_MATH_BFLOAT16)) {
    throw sy::unsupported(SY_REASON_DTYPE, "products of ", sy::dtype_name(dtype),
                          " are rounded to bfloat16 only where precision.matmul allows it");
  }
}

}  // namespace

MatrixStack stack_of(const sy::Dimensions& shape, const int64_t* strides) {
  const sy::Dimensions columns = strides_by_columns(shape);
  const bool by_columns = strides != nullptr && same_where_it_matters(shape, strides, columns);
  return {shape, by_columns ? columns : sy::contiguous_strides(shape), by_columns};
}

ProductPlan::ProductPlan(const sy::Node& node)
    : dtype(node.required_input(0).dtype), right_is_constant(has_data(node.required_input(1))) {
  check_values(node);
  if (node.op() == "Gemm") read_gemm(node);
  a = operand(node.required_input(0), left_turned);
  b = operand(node.required_input(1), right_turned);
  y = sy::Dimensions(sy::shape_of(node.required_output(0)));
  shape_stacks();
  if (!is_worth_it()) {
    throw sy::unsupported(SY_REASON_LIMIT, "products of ", m_, " x ", k_, " by ", k_, " x ", n_,
                          " do not gain from oneDNN");
  }
}

void ProductPlan::read_gemm(const sy::Node& node) {
  left_turned = node.flag("transA");
  right_turned = node.flag("transB");
  alpha = node.real("alpha", 1.0f);
  beta = node.input(2) == nullptr ? 0 : node.real("beta", 1.0f);
}

// Left matrices that all meet one right matrix are one tall matrix; equal stacks, and one matrix
// against a stack, need only one axis.
void ProductPlan::shape_stacks() {
  m_ = a.shape[a.shape.rank - 2];
  k_ = a.shape[a.shape.rank - 1];
  n_ = b.shape[b.shape.rank - 1];
  const uint32_t rank = y.rank - 2;
  left_stack_ = stack_shape(a.shape, rank);
  right_stack_ = stack_shape(b.shape, rank);
  output_stack_ = stack_shape(y, rank);
  const int64_t lefts = sy::element_count(left_stack_);
  const int64_t rights = sy::element_count(right_stack_);
  if (rights == 1 && (lefts == 1 || !a.by_columns)) {
    m_ *= lefts;
    left_stack_ = right_stack_ = output_stack_ = {};
  } else if (lefts == 1 || rights == 1 ||
             std::ranges::equal(sy::Extents(left_stack_), sy::Extents(right_stack_))) {
    left_stack_ = one_axis(lefts);
    right_stack_ = one_axis(rights);
    output_stack_ = one_axis(sy::element_count(output_stack_));
  }
}

Work ProductPlan::work() const {
  const int64_t stack = sy::element_count(output_stack_);
  return {m_ * n_ * k_ * stack, 2 * stack * (m_ * k_ + k_ * n_ + m_ * n_),
          splits_sums() ? 512 : 96};
}

bool ProductPlan::is_worth_it() const {
  if (sy::element_count(y) == 0 || m_ < least_rows || std::min(n_, k_) < least_extent) return false;
  if (k_ > most_foreign_sums) return false;
  if (dtype == SY_BFLOAT16) return true;
  return (right_is_constant || m_ >= least_rounded_rows) && m_ * n_ * k_ >= least_rounded_work;
}

Desc ProductPlan::left() const { return stacked(SY_BFLOAT16, left_stack_, m_, k_, a.by_columns); }

Desc ProductPlan::right(sy_dtype as) const {
  return stacked(as, right_stack_, k_, n_, b.by_columns);
}

Desc ProductPlan::best_right() const {
  dnnl::memory::dims extents(right_stack_.data.begin(),
                             right_stack_.data.begin() + right_stack_.rank);
  extents.insert(extents.end(), {k_, n_});
  return Desc(extents, type_of(SY_BFLOAT16), dnnl::memory::format_tag::any);
}

Desc ProductPlan::output() const { return stacked(dtype, output_stack_, m_, n_, false); }

TurnedTensor::TurnedTensor(const ConstTensor& given, bool is_turned)
    : shape(given.shape), strides(given.strides), tensor(given) {
  if (is_turned) shape = turned(shape);
  if (is_turned) strides = turned(strides);
  tensor.shape = shape;
  tensor.strides = strides;
}

}  // namespace cpu::onednn

#include <algorithm>

#include "gemm/matrices.hpp"
#include "kernels/elementwise/unary.hpp"
#include "kernels/kernels.hpp"
#include "kernels/products/multiply_tensors.hpp"
#include "kernels/products/plain_products.hpp"
#include "machine/parallel.hpp"
#include "switchyard/plugin/shape.hpp"
#include "types/dispatch.hpp"

namespace cpu {
namespace {

// One operand as a stack of matrices: rank 1 is a row on the left and a column on the right.
template <typename First>
struct Stack {
  sy::Dimensions shape;  // of the stack
  sy::Dimensions strides;
  int64_t rows = 1, columns = 1;
  First matrix;
};

using InputStack = Stack<ConstMatrix>;
using OutputStack = Stack<Matrix>;

InputStack stack_of(const ConstTensor& tensor, bool is_left) {
  InputStack stack;
  stack.matrix.dtype = tensor.dtype;
  stack.matrix.data = tensor.data;
  const size_t rank = tensor.rank();
  if (rank == 1) {
    (is_left ? stack.columns : stack.rows) = tensor.shape[0];
    (is_left ? stack.matrix.column_step : stack.matrix.row_step) = tensor.strides[0];
    (is_left ? stack.matrix.row_step : stack.matrix.column_step) = 1;
    return stack;
  }
  stack.rows = tensor.shape[rank - 2];
  stack.columns = tensor.shape[rank - 1];
  stack.matrix.row_step = tensor.strides[rank - 2];
  stack.matrix.column_step = tensor.strides[rank - 1];
  stack.shape = sy::Dimensions(tensor.shape.first(rank - 2));
  stack.strides = sy::Dimensions(tensor.strides.first(rank - 2));
  return stack;
}

// The output has the rows of the left operand, if that is not a vector, and the columns of the
// right.
OutputStack output_stack(const Tensor& tensor, bool has_rows, bool has_columns) {
  OutputStack stack;
  stack.matrix.dtype = tensor.dtype;
  stack.matrix.data = tensor.data;
  stack.matrix.row_step = stack.matrix.column_step = 1;
  size_t rank = tensor.rank();
  if (has_columns) {
    stack.columns = tensor.shape[--rank];
    stack.matrix.column_step = tensor.strides[rank];
  }
  if (has_rows) {
    stack.rows = tensor.shape[--rank];
    stack.matrix.row_step = tensor.strides[rank];
  }
  stack.shape = sy::Dimensions(tensor.shape.first(rank));
  stack.strides = sy::Dimensions(tensor.strides.first(rank));
  return stack;
}

// Broadcasts the stack to `shape`; strides of repeated matrices are 0.
void broadcast_stack(InputStack& stack, const sy::Dimensions& shape) {
  stack.strides = sy::broadcast_strides(stack.shape, stack.strides.data.data(), shape);
  stack.shape = shape;
}

// All products of a run, with their stacks' common shape.
class Products {
 public:
  Products(InputStack a, InputStack b, OutputStack c, const void* panels, int64_t panel_bytes)
      : a_(std::move(a)), b_(std::move(b)), c_(std::move(c)), panel_bytes_(panel_bytes) {
    product_ = {c_.rows, c_.columns, a_.columns, a_.matrix, b_.matrix, c_.matrix, panels};
    if (panels != nullptr) packed_strides_ = sy::contiguous_strides(b_.shape);
    if (panels != nullptr) {
      packed_strides_ = sy::broadcast_strides(b_.shape, packed_strides_.data.data(), c_.shape);
    }
    broadcast_stack(a_, c_.shape);
    broadcast_stack(b_, c_.shape);
    take_stack_as_rows();
    count_ = sy::element_count(c_.shape);
  }

  void run() const {
    // Few large products take the team's turns one by one, others are shared out whole.
    constexpr int64_t region_work = int64_t{1} << 20, large_work = int64_t{1} << 23;
    const int64_t work = product_.m * product_.n * product_.k;
    if (count_ == 0 || product_.m == 0 || product_.n == 0) return;
    if (work <= large_work || count_ >= 4 * thread_count()) {
      const int64_t grain = std::max<int64_t>(1, region_work / std::max<int64_t>(1, work));
      parallel_for(count_, grain, [&](int64_t begin, int64_t end) { multiply_each(begin, end); });
    } else {
      multiply_each(0, count_);
    }
  }

 private:
  // One right matrix for all: the stacked left ones are one tall matrix where their rows run on.
  void take_stack_as_rows() {
    while (c_.shape.rank > 0) {
      const uint32_t last = c_.shape.rank - 1;
      const bool runs_on = a_.strides[last] == product_.m * product_.a.row_step &&
                           c_.strides[last] == product_.m * product_.c.row_step;
      const bool is_one = c_.shape[last] == 1;
      if (b_.strides[last] != 0 && !is_one) return;
      if (!runs_on && !is_one) {
        if (product_.m != 1) return;
        product_.a.row_step = a_.strides[last];
        product_.c.row_step = c_.strides[last];
      }
      product_.m *= c_.shape[last];
      c_.shape.rank = a_.strides.rank = b_.strides.rank = c_.strides.rank = last;
    }
  }

  void multiply_each(int64_t begin, int64_t end) const {
    const auto size = static_cast<int64_t>(sy::dtype_bytes(product_.c.dtype));
    for (int64_t i = begin; i < end; ++i) {
      MatrixProduct product = product_;
      int64_t rest = i;
      int64_t a = 0, b = 0, c = 0, packed = 0;
      for (uint32_t axis = c_.shape.rank; axis-- > 0;) {
        const int64_t index = rest % c_.shape[axis];
        rest /= c_.shape[axis];
        a += index * a_.strides[axis];
        b += index * b_.strides[axis];
        c += index * c_.strides[axis];
        if (product.panels != nullptr) packed += index * packed_strides_[axis];
      }
      product.a.data = static_cast<const char*>(product.a.data) + a * size;
      product.b.data = static_cast<const char*>(product.b.data) + b * size;
      product.c.data = static_cast<char*>(product.c.data) + c * size;
      if (product.panels != nullptr) {
        product.panels = static_cast<const char*>(product.panels) + packed * panel_bytes_;
      }
      multiply(product);
    }
  }

  InputStack a_, b_;
  OutputStack c_;
  sy::Dimensions packed_strides_;
  int64_t panel_bytes_;
  int64_t count_ = 0;
  MatrixProduct product_;
};

}  // namespace

void multiply_tensors(const ConstTensor& a, const ConstTensor& b, const Tensor& y,
                      const void* panels, int64_t panel_bytes) {
  Products(stack_of(a, true), stack_of(b, false), output_stack(y, a.rank() > 1, b.rank() > 1),
           panels, panel_bytes)
      .run();
}

namespace {

PackedMatrix pack_right(const sy::Node& node) {
  const sy_value& right = node.required_input(1);
  if (!sy::is_constant(right) || !sy::has_known_shape(right) || right.rank < 2) return {};
  const int64_t k = right.shape[right.rank - 2];
  const int64_t n = right.shape[right.rank - 1];
  return pack_constant(right, k, n, n, 1);
}

}  // namespace

Prepared plain_matmul(const sy::Node& node) {
  Prepared made;
  const PackedMatrix packed = pack_right(node);
  if (packed.data != nullptr) {
    made.packed = {{1, packed.data, static_cast<uint64_t>(packed.size_bytes)}};
  }
  made.kernel = function_kernel([panels = packed.data, bytes = packed.matrix_bytes](Call& call) {
    multiply_tensors(call.input(0), call.input(1), call.output(0), panels.get(), bytes);
  });
  return made;
}

namespace {

constexpr KernelRow matmul_rows[] = {
    {"MatMul", numeric_types, numeric_types, plain_matmul, nullptr, any_strides, "", 1, UINT32_MAX,
     1},
};

}  // namespace

KernelTable matmul_kernels() { return matmul_rows; }

}  // namespace cpu

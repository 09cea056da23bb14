// MatMul and Gemm where one matrix has few rows or columns: the products that decoders and layers
// of one input make. Other shapes go to product.cpp, by MPSGraph.
#include <algorithm>

#include "ops/building/known_shape.hpp"
#include "ops/dtypes.hpp"
#include "ops/products/small_product.hpp"

namespace mps {
namespace {

sy::Extents outer(sy::Extents shape) {
  return shape.size() < 2 ? sy::Extents() : shape.first(shape.size() - 2);
}

// A factor of MatMul: a vector is a matrix of one row on the left, of one column on the right.
MatrixStack factor(const Tensor& tensor, bool is_left, sy::Extents batch) {
  MatrixStack stack;
  stack.tensor = &tensor;
  const size_t rank = tensor.shape.size();
  if (rank == 1) {
    (is_left ? stack.column : stack.row) = tensor.strides[0];
    stack.batch = sy::Dimensions(batch);
    std::fill_n(stack.batch.data.begin(), stack.batch.rank, 0);
    return stack;
  }
  stack.row = tensor.strides[rank - 2];
  stack.column = tensor.strides[rank - 1];
  stack.batch = sy::broadcast_strides(outer(tensor.shape), tensor.strides.data.data(), batch);
  return stack;
}

class MatMulKernel final : public Kernel {
 public:
  explicit MatMulKernel(Device& device) : device_(device) {}

  void encode(const Run& run) const override {
    const Tensor& left = run.inputs[0];
    const Tensor& right = run.inputs[1];
    const Tensor& output = run.outputs[0];
    const size_t vectors = (left.shape.size() == 1 ? 1 : 0) + (right.shape.size() == 1 ? 1 : 0);
    SmallProduct product;
    product.batch = sy::Dimensions(output.shape.first(output.shape.size() - (2 - vectors)));
    product.depth = left.shape.back();
    product.a = factor(left, true, product.batch);
    product.b = factor(right, false, product.batch);
    product.c.tensor = &output;
    product.c.batch = output.strides;
    size_t axis = product.batch.rank;
    if (left.shape.size() > 1) {
      product.rows = output.shape[axis];
      product.c.row = output.strides[axis++];
    }
    if (right.shape.size() > 1) {
      product.columns = output.shape[axis];
      product.c.column = output.strides[axis];
    }
    encode_small_product(device_, run.stream, product);
  }

 private:
  Device& device_;
};

class GemmKernel final : public Kernel {
 public:
  GemmKernel(Device& device, const sy::Node& node)
      : device_(device),
        turns_left_(node.flag("transA")),
        turns_right_(node.flag("transB")),
        alpha_(node.real("alpha", 1)),
        beta_(node.real("beta", 1)) {}

  void encode(const Run& run) const override {
    const Tensor& output = run.outputs[0];
    SmallProduct product;
    product.rows = output.shape[0];
    product.columns = output.shape[1];
    product.depth = run.inputs[0].shape[turns_left_ ? 0 : 1];
    product.a = matrix(run.inputs[0], turns_left_);
    product.b = matrix(run.inputs[1], turns_right_);
    product.c = matrix(output, false);
    product.alpha = alpha_;
    product.beta = beta_;
    if (run.has_input(2) && beta_ != 0) {
      const Tensor& addend = run.inputs[2];
      const auto strides =
          sy::broadcast_strides(addend.shape, addend.strides.data.data(), output.shape);
      product.addend.tensor = &addend;
      product.addend.row = strides[0];
      product.addend.column = strides[1];
    }
    encode_small_product(device_, run.stream, product);
  }

 private:
  static MatrixStack matrix(const Tensor& tensor, bool turned) {
    MatrixStack stack;
    stack.tensor = &tensor;
    stack.row = tensor.strides[turned ? 1 : 0];
    stack.column = tensor.strides[turned ? 0 : 1];
    return stack;
  }

  Device& device_;
  const bool turns_left_, turns_right_;
  const float alpha_, beta_;
};

// Another choice for other shapes, so kernels are made for one.
Prepared make_matmul(Device& device, const sy::Node&) {
  return {std::make_unique<MatMulKernel>(device), SY_ON_SHAPE};
}

Prepared make_gemm(Device& device, const sy::Node& node) {
  return {std::make_unique<GemmKernel>(device, node), SY_ON_SHAPE};
}

void check_size(int64_t rows, int64_t columns, int64_t depth, int64_t batch) {
  if (is_small_product(rows, columns, depth, batch)) return;
  throw sy::unsupported(SY_REASON_LIMIT, "a product of ", rows, " by ", depth, " by ", columns,
                        " is better made by a graph");
}

void check_matmul(const sy::Node& node) {
  const sy::Extents left = known_shape(node.required_input(0));
  const sy::Extents right = known_shape(node.required_input(1));
  const sy::Extents output = known_shape(node.required_output(0));
  const int64_t rows = left.size() > 1 ? left[left.size() - 2] : 1;
  const int64_t columns = right.size() > 1 ? right.back() : 1;
  const int64_t plane = rows * columns;
  check_size(rows, columns, left.back(), plane == 0 ? 0 : sy::element_count(output) / plane);
}

void check_gemm(const sy::Node& node) {
  const sy::Extents left = known_shape(node.required_input(0));
  const sy::Extents output = known_shape(node.required_output(0));
  if (left.size() != 2 || output.size() != 2) {
    throw sy::unsupported(SY_REASON_RANK, "Gemm of tensors that are not matrices");
  }
  check_size(output[0], output[1], left[node.flag("transA") ? 0 : 1], 1);
}

}  // namespace

std::span<const KernelRow> small_product_rows() {
  static const KernelRow rows[] = {
      {{.op = "MatMul", .dtypes = float_types, .min_rank = 1}, make_matmul, check_matmul},
      {{.op = "Gemm", .dtypes = float_types, .max_rank = 2}, make_gemm, check_gemm}};
  return rows;
}

}  // namespace mps

// What a MatMul or Gemm of known shapes is to oneDNN: one product of stacks of bfloat16 matrices.
#pragma once

#include "onednn/primitive.hpp"
#include "run/kernel.hpp"
#include "switchyard/plugin/program.hpp"

namespace cpu::onednn {

// A stack of matrices without gaps, each with its rows or its columns one after another.
struct MatrixStack {
  sy::Dimensions shape;    // of the tensor, its matrix in the last two
  sy::Dimensions strides;  // where oneDNN shall find the elements
  bool by_columns = false;
};

// `strides`, null for contiguous, if they are those of a stack by rows or by columns; else rows
// after rows, which elements must be copied to.
MatrixStack stack_of(const sy::Dimensions& shape, const int64_t* strides);

struct ProductPlan {
  // Throws sy::unsupported for what is not worth it, or not known yet.
  explicit ProductPlan(const sy::Node& node);

  Work work() const;
  bool is_small() const { return !work().is_worth_the_team(); }  // not worth a second thread

  // The stacks with as few axes as tell them apart.
  Desc left() const;
  Desc right(sy_dtype as = SY_BFLOAT16) const;
  Desc best_right() const;  // whatever oneDNN likes best
  Desc output() const;

  sy_dtype dtype;          // of the output and, but for the roundings on their way in, the operands
  bool right_is_constant;  // and its data known
  bool left_turned = false, right_turned = false;
  double alpha = 1, beta = 0;  // beta 0: nothing is added
  MatrixStack a, b;
  sy::Dimensions y;

 private:
  void read_gemm(const sy::Node& node);
  void shape_stacks();
  bool is_worth_it() const;

  int64_t m_ = 0, n_ = 0, k_ = 0;
  sy::Dimensions left_stack_, right_stack_, output_stack_;
};

// A tensor as MatMul would read it: turned, its last two axes change places.
struct TurnedTensor {
  TurnedTensor(const ConstTensor& tensor, bool turned);
  TurnedTensor(const TurnedTensor&) = delete;
  TurnedTensor& operator=(const TurnedTensor&) = delete;

  sy::Dimensions shape, strides;
  ConstTensor tensor;
};

}  // namespace cpu::onednn

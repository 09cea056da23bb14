// Attention in programs: what the tests of it build, and how they compare it.
#pragma once

#include <cmath>
#include <functional>

#include "nets.hpp"

namespace mps::program_tests {

using op_tests::bfloat;

inline constexpr double bfloat_tolerance = 3e-2;
inline constexpr Pieces only_attention{0, 0, 0, 1};

struct Form {
  int64_t queries = 7, keys = 33, depth = 8, columns = 8;
  Shape batch = {2, 3};

  Shape matrix(int64_t rows, int64_t columns) const {
    Shape shape = batch;
    shape.insert(shape.end(), {rows, columns});
    return shape;
  }
  Shape query() const { return matrix(queries, depth); }
  Shape key() const { return matrix(depth, keys); }
  Shape value() const { return matrix(keys, columns); }
  Shape scores() const { return matrix(queries, keys); }
  Shape result() const { return matrix(queries, columns); }
};

// What stands between the first product and the softmax.
using Between = std::function<Id(Model& model, Id scores, const Shape& shape)>;

inline Id attended(Model& model, const Form& form, Id q, Id k, Id v, const Between& between = {}) {
  Id x = model.node("MatMul", {q, k}, form.scores());
  if (between) x = between(model, x, form.scores());
  x = model.node("Softmax", {x}, form.scores(), {{"axis", -1}});
  return model.node("MatMul", {x, v}, form.result());
}

template <typename T>
Id given(Model& model, const Shape& shape, uint32_t seed, float scale = 1) {
  return model.input(contiguous(shape), elements<T>(shape, seed, scale));
}

// Of inputs that lie as they should.
template <typename T>
Model plain(const Form& form, const Between& between = {}) {
  Model model;
  const float small = 1 / std::sqrt(static_cast<float>(form.depth));
  const Id q = given<T>(model, form.query(), 1, small);
  const Id k = given<T>(model, form.key(), 2);
  const Id v = given<T>(model, form.value(), 3);
  model.output(attended(model, form, q, k, v, between));
  return model;
}

inline void expect_attention(Model model, double tolerance = float_tolerance) {
  EXPECT_EQ(model.pieces(device()), only_attention);
  model.expect_same(device(), tolerance);
}

inline void expect_none(Model model, double tolerance = float_tolerance) {
  EXPECT_EQ(model.pieces(device()).attentions, 0u);
  model.expect_same(device(), tolerance);
}

// A mask of such a shape, of numbers.
template <typename T>
Between added(const Shape& mask) {
  return [=](Model& model, Id x, const Shape& shape) {
    return model.node("Add", {x, given<T>(model, mask, 9)}, shape);
  };
}

}  // namespace mps::program_tests

// Indices of every kind, and functions that read, write, turn and order: PyTorch's values.
#include <switchyard/functions.hpp>

#include "functions/golden/torch_golden.hpp"
#include "functions/index_tensors.hpp"
#include "functions/values.hpp"

namespace switchyard {
namespace {

const Slice kAll;

Tensor x() { return arange(24.0).reshape({2, 3, 4}); }
Tensor y() { return arange(120.0).reshape({2, 3, 4, 5}); }
Tensor turned() { return y().permute({3, 1, 0, 2}); }
Tensor i() { return longs({1, 0, 1}); }
Tensor j() { return longs({0, -1}).reshape({2, 1}); }
Tensor k() { return longs({2, -3, 0}); }
Tensor two() { return narrow(k(), 0, 0, 2); }
Tensor bools(const std::vector<bool>& values, const Dims& shape) { return tensor(values, shape); }
Tensor mask() { return eq(remainder(x(), 3), 0); }
Tensor rows() { return bools({true, false, true, false, false, true}, {2, 3}); }
Tensor outer() { return bools({true, false, false, true}, {4}); }

void add_basic(GoldenCases& cases) {
  const Ellipsis rest;
  const NewAxis added;
  cases["integer"] = [=] { return x()[1]; };
  cases["negative"] = [=] { return x()[{-1, 2, -4}]; };
  cases["slices"] = [=] { return x()[{kAll, Slice(1), Slice({}, {}, 2)}]; };
  cases["slice_beyond"] = [=] { return x()[{Slice(5), Slice(-100, 2)}]; };
  cases["slice_negative"] = [=] { return x()[{rest, Slice(-3, -1)}]; };
  cases["ellipsis"] = [=] { return x()[{rest, 1}]; };
  cases["ellipsis_between"] = [=] { return y()[{0, rest, Slice(1, 3), 2}]; };
  cases["ellipsis_of_none"] = [=] { return x()[{0, rest, 1, 2}]; };
  cases["new_axes"] = [=] { return x()[{added, kAll, 1, added}]; };
  cases["new_axis_last"] = [=] { return x()[{rest, added}]; };
  cases["scalar"] = [=] { return full({}, 5.0)[added]; };
}

void add_tensors(GoldenCases& cases) {
  const Ellipsis rest;
  cases["tensor"] = [=] { return x()[i()]; };
  cases["tensor_last"] = [=] { return x()[{rest, k()}]; };
  cases["tensor_of_rank_2"] = [=] { return x()[{kAll, j()}]; };
  cases["tensor_of_none"] = [=] { return x()[zeros({0}, {.dtype = DType::int64})]; };
  cases["tensor_of_rank_0"] = [=] { return x()[{full({}, 1), kAll, full({}, -1)}]; };
  cases["tensors_neighbours"] = [=] { return y()[{kAll, k(), j()}]; };
  cases["tensors_neighbours_last"] = [=] { return y()[{rest, k(), j()}]; };
  cases["tensors_apart"] = [=] { return y()[{kAll, k(), kAll, j()}]; };
  cases["tensors_apart_first"] = [=] { return y()[{i(), kAll, k()}]; };
  cases["tensors_around_integer"] = [=] { return y()[{kAll, k(), 0, j()}]; };
  cases["tensors_around_slice"] = [=] { return y()[{i(), Slice(1), k()}]; };
  cases["tensors_around_new_axis"] = [=] { return x()[{i(), NewAxis(), k()}]; };
  cases["tensors_all"] = [=] { return x()[{i(), k(), k()}]; };
  cases["tensors_of_turned"] = [=] { return turned()[{kAll, k(), i()}]; };
  cases["tensors_apart_of_turned"] = [=] { return turned()[{k(), kAll, i()}]; };
}

void add_masks(GoldenCases& cases) {
  const Tensor both = bools({true, true}, {2}), ends = bools({true, false, true}, {3});
  cases["mask_whole"] = [=] { return x()[mask()]; };
  cases["mask_first"] = [=] { return x()[bools({false, true}, {2})]; };
  cases["mask_of_two"] = [=] { return x()[rows()]; };
  cases["mask_last"] = [=] { return x()[{Ellipsis(), outer()}]; };
  cases["mask_between"] = [=] { return y()[{1, ends}]; };
  cases["mask_of_none"] = [=] { return x()[zeros({2, 3}, {.dtype = DType::bool_})]; };
  cases["mask_beside_tensor"] = [=] { return x()[{both, kAll, longs({1, 3})}]; };
  cases["mask_two_apart"] = [=] { return y()[{both, kAll, outer()}]; };
  cases["mask_two_neighbours"] = [=] { return y()[{kAll, ends, outer()}]; };
  cases["mask_true"] = [=] { return x()[bools({true}, {})]; };
  cases["mask_false"] = [=] { return x()[bools({false}, {})]; };
  cases["mask_of_turned"] = [=] { return turned()[eq(remainder(turned(), 7), 1)]; };
  cases["nonzero"] = [=] { return nonzero(rows()); };
  cases["nonzero_of_scalar"] = [=] { return nonzero(full({}, 3.0)); };
  cases["nonzero_of_zero"] = [=] { return nonzero(full({}, 0.0)); };
  cases["masked_select"] = [=] { return masked_select(x(), rows().unsqueeze(2)); };
  cases["masked_select_broadcast"] = [=] { return masked_select(arange(4.0), mask()[0]); };
}

void add_functions(GoldenCases& cases) {
  cases["index_select"] = [=] { return index_select(x(), 1, longs({2, 0, 2})); };
  cases["index_select_turned"] = [=] {
    return index_select(turned(), -2, tensor({1, 0}).to(DType::int32));
  };
  cases["index_select_scalar"] = [=] { return index_select(full({}, 5.0), 0, longs({0})); };
  cases["gather"] = [=] {
    return gather(x(), 1, longs({0, 1, 2, 0, 2, 2, 1, 0}).reshape({2, 1, 4}));
  };
  cases["gather_less"] = [=] { return gather(x(), 2, longs({3, 1, 0, 0}).reshape({1, 2, 2})); };
  cases["gather_scalar"] = [=] { return gather(full({}, 5.0), 0, full({}, 0)); };
  cases["scatter"] = [=] {
    return scatter(x(), 1, longs({0, 1, 2, 0}).reshape({1, 1, 4}), neg(ones({2, 2, 4})));
  };
  cases["scatter_number"] = [=] {
    return scatter(x(), 2, longs({3, 1, 0, 2}).reshape({1, 2, 2}), 9.5);
  };
  cases["scatter_add"] = [=] {
    const Tensor index = longs({0, 1, 0, 1, 1, 1, 0, 0}).reshape({1, 2, 4}).expand({2, 2, 4});
    return scatter_add(x(), 0, index, ones({2, 3, 4}));
  };
  cases["index_add"] = [=] { return index_add(x(), 1, longs({0, 2, 0, 0}), ones({2, 4, 4})); };
  cases["index_add_first"] = [=] {
    return index_add(x(), 0, tensor({1}).to(DType::int32), narrow(x(), 0, 0, 1));
  };
  cases["embedding"] = [=] { return embedding(longs({0, 2, 1, 2}).reshape({2, 2}), x()[1]); };
  cases["one_hot"] = [=] { return one_hot(longs({0, 2, 1, 0}).reshape({2, 2}), 4); };
  cases["one_hot_inferred"] = [=] { return one_hot(longs({0, 2, 1}), -1); };
}

void add_moves(GoldenCases& cases) {
  cases["flip"] = [=] { return flip(x(), {0, 2}); };
  cases["flip_of_turned"] = [=] { return flip(turned(), {1}); };
  cases["roll"] = [=] { return roll(x(), 1, 2); };
  cases["roll_back"] = [=] { return roll(x(), -5, 1); };
  cases["triu"] = [=] { return triu(x(), 1); };
  cases["tril"] = [=] { return tril(x(), -1); };
  cases["repeat"] = [=] { return repeat(x()[{kAll, 0}], {2, 1, 2}); };
}

void add_order(GoldenCases& cases, const std::string& name, const Tensor& t) {
  cases["sort_values" + name] = [=] { return sort(t).values; };
  cases["sort_indices" + name] = [=] { return sort(t).indices; };
  cases["sort_down" + name] = [=] { return sort(t, 0, true).values; };
  cases["topk_values" + name] = [=] { return topk(t, 2).values; };
  cases["topk_smallest" + name] = [=] { return topk(t, 1, 0, false).values; };
}

using Indices = std::vector<Index>;

Tensor put(const Tensor& target, const Indices& indices, const Tensor& value) {
  const Tensor result = target.clone();
  result.index_put_(indices, value);
  return result;
}

void add_writes(GoldenCases& cases) {
  const auto add = [&](const char* name, Tensor (*target)(), Indices indices, const Tensor& value) {
    cases[std::string("put_") + name] = [=] { return put(target(), indices, value); };
  };
  add("integer", x, {1}, -1.0);
  add("slice", x, {kAll, Slice(1), 0}, tensor({7., 8.}));
  add("leading_ones", x, {0, 0}, ones({1, 1, 4}));
  add("mask_number", x, {mask()}, -1.0);
  add("mask_values", x, {mask()}, arange(8.0));
  add("mask_rows", x, {rows()}, tensor({1., 2., 3., 4.}));
  add("mask_last", x, {Ellipsis(), outer()}, -2.0);
  add("tensor", x, {longs({1})}, arange(4.0));
  add("tensor_last", x, {Ellipsis(), two()}, tensor({1.5, 2.5}));
  add("tensors_neighbours", y, {kAll, two(), j()}, arange(5.0));
  add("tensors_apart", y, {kAll, two(), kAll, j()}, arange(8.0).reshape({2, 4}));
  add(
      "integers", [] { return arange(6); }, {longs({0, 2})}, 2.9);
  add(
      "rank_0", [] { return full({}, 5.0); }, {Ellipsis()}, 3.0);
}

void add_gradients(GoldenCases& cases) {
  const auto add = [&](const char* name, std::function<Tensor(const Tensor&)> function,
                       const Tensor& at) {
    cases[std::string("gradient_") + name] = [=] {
      const Tensor leaf = at.clone().requires_grad_();
      sum(function(leaf)).backward();
      return leaf.grad();
    };
  };
  add(
      "index", [](const Tensor& t) { return t[i()] * t[i()]; }, x());
  add(
      "mask", [](const Tensor& t) { return square(t[mask()]); }, x());
  add(
      "embedding",
      [](const Tensor& t) {
        return square(embedding(longs({0, 2, 2, 1}), t, 1));
      },
      arange(12.0).reshape({4, 3}));
  add(
      "topk", [](const Tensor& t) { return square(topk(t, 2).values); }, tensor({3., 1., 2.}));
  add(
      "put",
      [](const Tensor& t) {
        return square(put(t * 2, {0, Slice(1, 3)}, t[{1, 0}]));
      },
      x());
  add(
      "put_tensor",
      [](const Tensor& t) {
        return square(put(t * 2, {longs({0}), two()}, t[{1, 0}]));
      },
      x());
}

TEST(Indexing, GivesWhatPyTorchGives) {
  GoldenCases cases;
  add_basic(cases);
  add_tensors(cases);
  add_masks(cases);
  add_functions(cases);
  add_moves(cases);
  const Tensor numbers = tensor({{3., kNan, 1., 3.}, {-kInf, 0., kInf, kNan}});
  add_order(cases, "", numbers);
  add_order(cases, "_turned", numbers.t());
  cases["argsort"] = [] { return argsort(longs({3, 1, 2, 1}), 0, true); };
  cases["sort_of_bools"] = [] { return sort(bools({true, false, true}, {3})).values; };
  cases["sort_of_scalar"] = [] { return sort(full({}, 3.0)).indices; };
  cases["topk_of_none"] = [] { return topk(zeros({2, 3}), 0).values; };
  add_writes(cases);
  add_gradients(cases);
  check_golden("indexing_golden.txt", cases);
}

}  // namespace
}  // namespace switchyard

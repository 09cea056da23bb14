// Writing that joins what it writes, and reading along a dimension: PyTorch's values, gradients to
// second order, and errors.
#include <gmock/gmock.h>

#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "functions/family_inputs.hpp"
#include "functions/golden/torch_golden.hpp"
#include "functions/thrown.hpp"
#include "gradients/gradcheck.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;

const std::pair<const char*, ScatterReduction> kScatterReductions[] = {
    {"sum", ScatterReduction::sum},
    {"prod", ScatterReduction::prod},
    {"mean", ScatterReduction::mean},
    {"amax", ScatterReduction::amax},
    {"amin", ScatterReduction::amin}};

Tensor scatter_index() { return tensor({{0, 1, 1, 3}, {2, 2, 2, 2}, {0, 0, 3, 3}}); }
Tensor scatter_source() {
  return tensor({{1., 2., -3., 4.}, {5., 0., 0.5, -2.}, {2., 2., -1., 3.}});
}

void add_scatter_reduction(GoldenCases& cases, const std::string& word, ScatterReduction by,
                           bool self) {
  const Tensor x = small_matrix(), index = scatter_index(), source = scatter_source();
  cases["scatter_reduce_" + word] = [=] { return scatter_reduce(x, 1, index, source, by, self); };
  cases["scatter_reduce_rows_" + word] = [=] {
    return scatter_reduce(x, 0, tensor({0, 2, 0, 2}).reshape({1, 4}), source, by, self);
  };
  cases["scatter_reduce_turned_" + word] = [=] {
    return scatter_reduce(x.t(), 0, index.t(), source.t(), by, self);
  };
  cases["scatter_reduce_whole_" + word] = [=] {
    return scatter_reduce(tensor({{5, -7, 2, 9}, {1, 1, 1, 1}}), 1,
                          tensor({{0, 0, 1, 1}, {3, 3, 3, 2}}),
                          tensor({{2, 3, -4, 1}, {7, 2, -2, -5}}), by, self);
  };
  cases["scatter_reduce_odd_" + word] = [=] {
    return scatter_reduce(narrow(x, 0, 0, 1), 1, tensor({0, 0, 1, 2}).reshape({1, 4}),
                          tensor({kNan, 2., kInf, -kInf}).reshape({1, 4}), by, self);
  };
  cases["scatter_reduce_none_" + word] = [=] {
    return scatter_reduce(x, 1, zeros({3, 0}, {.dtype = DType::int64}), zeros({3, 0}), by, self);
  };
  cases["scatter_reduce_scalar_" + word] = [=] {
    return scatter_reduce(lone_number(), 0, full({}, 0), full({}, 2.0), by, self);
  };
  cases["gradient_scatter_reduce_" + word] = [=] {
    return weighted_gradient(
        [&](const Tensor& t) { return scatter_reduce(t, 1, index, source, by, self); }, x);
  };
  cases["gradient_scatter_reduce_source_" + word] = [=] {
    return weighted_gradient(
        [&](const Tensor& t) { return scatter_reduce(x, 1, index, t, by, self); },
        self ? source : where(eq(source, 3), 3.25, source));
  };
}

void add_taking(GoldenCases& cases) {
  const Tensor x = small_matrix(), row = tensor({2, 0, 2}).reshape({1, 3});
  cases["take_along_dim"] = [=] { return take_along_dim(x, tensor({{0, 3}, {1, 1}, {2, 0}}), 1); };
  cases["take_along_dim_broadcast"] = [=] { return take_along_dim(x, row, 1); };
  cases["take_along_dim_x_broadcast"] = [=] {
    return take_along_dim(narrow(x, 0, 0, 1), tensor({2, 0}).reshape({2, 1}), 1);
  };
  cases["take_along_dim_rows"] = [=] { return take_along_dim(x, argmax(x, 0, true), 0); };
  cases["take_along_dim_flat"] = [=] {
    return take_along_dim(x, tensor({{11, 0}, {4, 4}}).to(DType::int32));
  };
  cases["take_along_dim_sorted"] = [=] { return take_along_dim(x.t(), argsort(x.t()), -1); };
  cases["gradient_take_along_dim"] = [=] {
    return weighted_gradient([&](const Tensor& t) { return take_along_dim(t, row, 1); }, x);
  };
}

TEST(ScatterReduction, IsWhatPyTorchGives) {
  GoldenCases cases;
  for (const auto& [name, reduction] : kScatterReductions) {
    for (const bool self : {true, false}) {
      add_scatter_reduction(cases, std::string(name) + (self ? "_self" : "_alone"), reduction,
                            self);
    }
  }
  add_taking(cases);
  check_golden("scatter_reduction_golden.txt", cases);
}

TEST(ScatterReduction, HasGradientsToSecondOrder) {
  const Tensor x = strided(scattered({3, 4})), source = scattered({3, 4}, -1, 1, 1);
  for (const auto& [name, reduction] : kScatterReductions) {
    for (const bool self : {true, false}) {
      SCOPED_TRACE(std::string(name) + (self ? " with what is there" : " alone"));
      CHECK_GRADIENTS(
          [self, by = reduction](auto in) {
            return square(scatter_reduce(in[0], 1, scatter_index(), in[1], by, self));
          },
          {x, source}, {.spread = false});
    }
  }
  CHECK_GRADIENTS(
      [](auto in) {
        return square(take_along_dim(in[0], tensor({2, 2}).reshape({1, 2}), 1));
      },
      {x});
}

TEST(ScatterReduction, LeavesOutWhatIsThereInEveryType) {
  const Tensor index = tensor({0, 0});
  for (const DType dtype : {DType::int8, DType::uint8, DType::int16, DType::int32, DType::int64,
                            DType::float16, DType::bfloat16, DType::float64}) {
    SCOPED_TRACE(name_of(dtype));
    const Tensor x = full({2}, 7, {.dtype = dtype}), source = tensor({3, 5}, {.dtype = dtype});
    const double expected[] = {8, 15, 4, 5, 3};
    for (std::size_t i = 0; i < std::size(kScatterReductions); ++i) {
      const Tensor made = scatter_reduce(x, 0, index, source, kScatterReductions[i].second, false);
      EXPECT_EQ(made.dtype(), dtype);
      EXPECT_EQ(values(made), (std::vector<double>{expected[i], 7})) << kScatterReductions[i].first;
    }
  }
}

TEST(ScatterReduction, MeansOfManySmallIntegersAreExact) {
  const auto mean_of = [](const Tensor& x, const Tensor& source, bool self) {
    const Tensor index = zeros({300}, {.dtype = DType::int64});
    return scatter_reduce(x, 0, index, source, ScatterReduction::mean, self);
  };
  for (const DType dtype : {DType::int8, DType::uint8, DType::int16, DType::int32}) {
    SCOPED_TRACE(name_of(dtype));
    const Tensor x = tensor({7, 9}, {.dtype = dtype});
    const Tensor made = mean_of(x, full({300}, 100, {.dtype = dtype}), false);
    EXPECT_EQ(made.dtype(), dtype);
    EXPECT_EQ(values(made), (std::vector<double>{100, 9}));
    EXPECT_EQ(values(mean_of(x, 100, true)), (std::vector<double>{99, 9})) << "of a number";
  }
  const Tensor bytes = tensor({7, 9}, {.dtype = DType::uint8});
  EXPECT_THAT(thrown([&] { mean_of(bytes, 300, true); }), HasSubstr("cannot hold 300"));
  EXPECT_THAT(thrown([&] { mean_of(bytes, full({300}, 1), true); }), HasSubstr("dtypes"));
}

TEST(ScatterReduction, MembersWriteInPlace) {
  const Tensor x = zeros({2, 2}), index = tensor({{0, 1}, {1, 1}});
  x.scatter_(1, index, ones({2, 2}));
  EXPECT_EQ(values(x), (std::vector<double>{1, 1, 0, 1}));
  x.scatter_add_(1, index, full({2, 2}, 2.0));
  EXPECT_EQ(values(x), (std::vector<double>{3, 3, 0, 5}));
  x.index_add_(0, tensor({1, 1}), ones({2, 2}));
  EXPECT_EQ(values(x), (std::vector<double>{3, 3, 2, 7}));
  const Tensor row = x[0];
  row.scatter_(0, tensor({1}), 9);
  EXPECT_EQ(values(x), (std::vector<double>{3, 9, 2, 7}));
}

TEST(ScatterReduction, RefusesWhatDoesNotGoTogether) {
  const Tensor x = small_matrix(), index = scatter_index();
  EXPECT_THAT(thrown([&] {
                scatter_reduce(x, 1, add(index, 1), scatter_source(), ScatterReduction::amax)
                    .to_vector<float>();
              }),
              testing::AnyOf(
                  HasSubstr("[scatter_reduce] index 4 lies outside dimension 1, whose extent is 4"),
                  HasSubstr("an index is 4, but its axis has 4 elements")));
  EXPECT_THAT(thrown([&] { scatter_reduce(x, 0, index, ones({3}), ScatterReduction::sum); }),
              HasSubstr("[scatter_reduce] the index has shape [3, 4]"));
  EXPECT_THAT(thrown([&] {
                scatter_reduce(bool_matrix(), 0, index, bool_matrix(), ScatterReduction::amax);
              }),
              HasSubstr("[scatter_reduce] joins numbers, not bools"));
  EXPECT_THAT(thrown([&] { take_along_dim(x, tensor({0}), 1); }), HasSubstr("[take_along_dim]"));
}

}  // namespace
}  // namespace switchyard

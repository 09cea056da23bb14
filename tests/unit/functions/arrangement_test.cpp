// Diagonals, grids and repetition: PyTorch's values, gradients to second order, and errors.
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

Tensor part_of_cube(std::int64_t start, std::int64_t end) {
  return slice(narrow(counted_cube(), 1, 0, 2), 2, start, end);
}

void add_diagonals(GoldenCases& cases) {
  const Tensor line = tensor({1., 2., kInf}), x = small_matrix();
  for (const std::int64_t k : {0, 2, -1}) {
    const std::string at = std::to_string(k);
    cases["diag_line_" + at] = [=] { return diag(line, k); };
    cases["diag_matrix_" + at] = [=] { return diag(x, k); };
    cases["diag_turned_" + at] = [=] { return diag(x.t(), k); };
    cases["diag_embed_" + at] = [=] { return diag_embed(part_of_cube(0, 3), k); };
    cases["diag_embed_first_" + at] = [=] { return diag_embed(part_of_cube(1, 3), k, 0, 2); };
    cases["diag_embed_back_" + at] = [=] { return diag_embed(x, k, -1, 0); };
  }
  cases["diag_of_bools"] = [] { return diag(tensor({true, false, true})); };
  cases["diag_of_integers"] = [] { return diag(tensor({3, -4}), 1); };
  cases["diag_of_none"] = [] { return diag(zeros({0})); };
  cases["diag_of_none_2"] = [] { return diag(zeros({0}), 2); };
  cases["trace"] = [=] { return x.trace(); };
  cases["trace_of_integers"] = [] { return int8_matrix().trace(); };
}

void add_grids(GoldenCases& cases) {
  const Tensor a = tensor({1., 2., 3.}), b = tensor({4., 5.}), c = full({}, 6.0);
  const std::vector<std::vector<Tensor>> lists = {{a}, {a, b}, {a, b, c}, {c, c}};
  for (const auto indexing : {MeshgridIndexing::ij, MeshgridIndexing::xy}) {
    for (std::size_t n = 0; n < lists.size(); ++n) {
      for (std::size_t i = 0; i < lists[n].size(); ++i) {
        const std::string word = indexing == MeshgridIndexing::ij ? "ij" : "xy";
        cases["meshgrid_" + word + "_" + std::to_string(n + 1) + "_" + std::to_string(i)] =
            [=, list = lists[n]] { return meshgrid(list, indexing)[i]; };
      }
    }
  }
}

void add_repetition(GoldenCases& cases) {
  const Tensor x = small_matrix(), scalar = lone_number(), times = tensor({2, 0, 3});
  cases["tile"] = [=] { return tile(x, {2}); };
  cases["tile_more"] = [=] { return tile(x, {2, 1, 2}); };
  cases["tile_none"] = [=] { return tile(x, {0}); };
  cases["tile_scalar"] = [=] { return tile(scalar, {3}); };
  cases["repeat_interleave"] = [=] { return repeat_interleave(x, 2); };
  cases["repeat_interleave_0"] = [=] { return repeat_interleave(x, 2, 0); };
  cases["repeat_interleave_turned"] = [=] { return repeat_interleave(x.t(), 3, -1); };
  cases["repeat_interleave_not"] = [=] { return repeat_interleave(x, 0, 1); };
  cases["repeat_interleave_scalar"] = [=] { return repeat_interleave(scalar, 3); };
  cases["repeat_interleave_truths"] = [=] { return repeat_interleave(bool_matrix(), 2, 1); };
  cases["repeat_interleave_times"] = [=] { return repeat_interleave(x, times, 0); };
  cases["repeat_interleave_times_turned"] = [=] {
    return repeat_interleave(x.t(), times.to(DType::int32), 1);
  };
  cases["repeat_interleave_times_flat"] = [=] { return repeat_interleave(select(x, 1, 0), times); };
  cases["repeat_interleave_one_time"] = [=] { return repeat_interleave(x, tensor({2}), 1); };
  cases["repeat_interleave_no_times"] = [=] {
    return repeat_interleave(x, zeros({3}, {.dtype = DType::int64}), 0);
  };
}

void add_arrangement_gradients(GoldenCases& cases) {
  const std::pair<const char*, OfTensor> functions[] = {
      {"diag", [](const Tensor& t) { return diag(t[0], -1); }},
      {"diag_of_matrix", [](const Tensor& t) { return diag(t, 1); }},
      {"diag_embed", [](const Tensor& t) { return diag_embed(t, 1); }},
      {"trace", [](const Tensor& t) { return t.trace(); }},
      {"meshgrid",
       [](const Tensor& t) {
         return meshgrid({t[0], select(t, 1, 0)}, MeshgridIndexing::xy)[1];
       }},
      {"tile",
       [](const Tensor& t) {
         return tile(t, {2, 1, 3});
       }},
      {"repeat_interleave", [](const Tensor& t) { return repeat_interleave(t, 2, 1); }},
      {"repeat_interleave_times", [](const Tensor& t) {
         return repeat_interleave(t, tensor({2, 0, 3}), 0);
       }}};
  for (const auto& [name, f] : functions) {
    cases[std::string("gradient_") + name] = [f = f] {
      return weighted_gradient(f, small_matrix());
    };
  }
}

TEST(Arrangement, IsWhatPyTorchGives) {
  GoldenCases cases;
  add_diagonals(cases);
  add_grids(cases);
  add_repetition(cases);
  add_arrangement_gradients(cases);
  check_golden("arrangement_golden.txt", cases);
}

TEST(Arrangement, HasGradientsToSecondOrder) {
  const Tensor x = strided(scattered({3, 4}));
  CHECK_GRADIENTS([](auto in) { return square(diag_embed(in[0], -2, 0, 2)); }, {x});
  CHECK_GRADIENTS([](auto in) { return square(diag(in[0], 1)); }, {x});
  CHECK_GRADIENTS([](auto in) { return square(in[0].trace()); }, {x});
  CHECK_GRADIENTS([](auto in) { return square(tile(in[0], {3})); }, {x});
  CHECK_GRADIENTS([](auto in) { return square(repeat_interleave(in[0], 2, 1)); }, {x});
  CHECK_GRADIENTS(
      [](auto in) {
        return square(repeat_interleave(in[0], tensor({1, 0, 2, 1}), 1));
      },
      {x});
}

TEST(Arrangement, RollsAlongSeveralDimensionsOrAllElements) {
  const Tensor x = tensor({{0, 1, 2}, {3, 4, 5}});
  EXPECT_TRUE(equal(roll(x, {1, 1}, {0, 1}), tensor({{5, 3, 4}, {2, 0, 1}})));
  EXPECT_TRUE(equal(roll(x, {1, 2}, {-1, -1}), x)) << "one dimension twice: by 3 of 3";
  EXPECT_TRUE(equal(roll(x, 1), tensor({{5, 0, 1}, {2, 3, 4}})));
  EXPECT_TRUE(equal(roll(x.t(), -1), tensor({{3, 1}, {4, 2}, {5, 0}})));
  EXPECT_TRUE(equal(roll(tensor(7), 3), tensor(7)));
  EXPECT_TRUE(equal(roll(zeros({0, 2}), 3), zeros({0, 2})));
}

TEST(Arrangement, ShowsOrCopies) {
  const Tensor x = ones({2, 2}), line = arange(3.0);
  const Tensor copy = diag(x), turned = repeat_interleave(line, 1);
  const std::vector<Tensor> grid = meshgrid({line, line});
  x.fill_(5);
  line.fill_(7);
  EXPECT_EQ(values(copy), (std::vector<double>{1, 1}));
  EXPECT_EQ(values(turned), (std::vector<double>{0, 1, 2}));
  EXPECT_EQ(values(grid[0])[0], 7);
}

TEST(Arrangement, RefusesWhatDoesNotGoTogether) {
  EXPECT_THAT(thrown([] {
                repeat_interleave(ones({2}), tensor({1, -1}));
              }),
              HasSubstr("[repeat_interleave] cannot repeat -1 times"));
  EXPECT_THAT(thrown([] {
                repeat_interleave(ones({2}), tensor({1, 1, 1}));
              }),
              HasSubstr("[repeat_interleave] 3 numbers of times for dimension 0 of shape [2]"));
  EXPECT_THAT(thrown([] {
                meshgrid({ones({2}), tensor({1, 2})});
              }),
              HasSubstr("[meshgrid] the types float32 and int64 differ"));
  EXPECT_THAT(thrown([] { diag_embed(ones({2}), 0, 1, -1); }), HasSubstr("[diag_embed]"));
  EXPECT_THAT(thrown([] { tile(ones({2}), {-1}); }), HasSubstr("[tile] [-1]"));
}

}  // namespace
}  // namespace switchyard

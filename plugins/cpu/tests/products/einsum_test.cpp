#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "harness/closeness.hpp"
#include "harness/harness.hpp"
#include "harness/layouts.hpp"
#include "harness/products.hpp"
#include "harness/windows.hpp"
#include "switchyard/plugin/shape.hpp"

namespace cpu::testing {
namespace {

// Inputs and output as letters, the ellipsis written out; every index of every letter is visited.
std::vector<double> reference(const std::vector<std::string>& terms, const std::string& output,
                              const std::vector<Value>& inputs, Shape& y) {
  std::map<char, int64_t> extents;
  for (size_t i = 0; i < terms.size(); ++i) {
    for (size_t k = 0; k < terms[i].size(); ++k) {
      extents[terms[i][k]] = std::max(extents[terms[i][k]], inputs[i].shape[k]);
    }
  }
  std::string letters;
  Shape all;
  for (const auto& [letter, extent] : extents) {
    letters += letter;
    all.push_back(extent);
  }
  y.clear();
  for (const char letter : output) y.push_back(extents[letter]);
  std::vector<std::vector<double>> numbers;
  for (const Value& input : inputs) numbers.push_back(as_doubles(input));
  std::vector<double> made(static_cast<size_t>(sy::element_count(y)), 0.0);
  for_each_index(all, [&](const Shape& index) {
    const auto position = [&](const std::string& term, const Shape& shape) {
      Shape at;
      for (size_t k = 0; k < term.size(); ++k) {
        at.push_back(shape[k] == 1 ? 0 : index[letters.find(term[k])]);
      }
      return static_cast<size_t>(flat(shape, at));
    };
    double product = 1;
    for (size_t i = 0; i < terms.size(); ++i)
      product *= numbers[i][position(terms[i], inputs[i].shape)];
    Shape at;
    for (const char letter : output) at.push_back(index[letters.find(letter)]);
    made[static_cast<size_t>(flat(y, at))] += product;
  });
  return made;
}

struct Case {
  std::string equation;
  std::vector<std::string> terms;
  std::string output;
  std::vector<Shape> shapes;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"ij->ji", {"ij"}, "ji", {{3, 4}}},
      {"ij->i", {"ij"}, "i", {{3, 4}}},
      {"ij->", {"ij"}, "", {{3, 4}}},
      {"ii->i", {"ii"}, "i", {{4, 4}}},
      {"ii", {"ii"}, "", {{4, 4}}},
      {"...ii ->...i", {"aii"}, "ai", {{2, 3, 3}}},
      {"i,i", {"i", "i"}, "", {{5}, {5}}},
      {"i,j->ij", {"i", "j"}, "ij", {{5}, {3}}},
      {"ij,jk", {"ij", "jk"}, "ik", {{3, 4}, {4, 5}}},
      {"ij,jk->ki", {"ij", "jk"}, "ki", {{3, 4}, {4, 5}}},
      {"bij, bjk -> bik", {"bij", "bjk"}, "bik", {{2, 3, 4}, {2, 4, 5}}},
      {"...ij,...jk->...ik", {"abij", "bjk"}, "abik", {{2, 3, 2, 4}, {3, 4, 5}}},
      {"...ij,...jk->...ik", {"abij", "abjk"}, "abik", {{2, 1, 2, 4}, {1, 3, 4, 5}}},
      {"bhqd,bhkd->bhqk", {"bhqd", "bhkd"}, "bhqk", {{2, 3, 4, 5}, {2, 3, 6, 5}}},
      {"bqhd,bkhd->bhqk", {"bqhd", "bkhd"}, "bhqk", {{2, 4, 3, 5}, {2, 6, 3, 5}}},
      {"abc,cd,bde->ae", {"abc", "cd", "bde"}, "ae", {{2, 3, 4}, {4, 5}, {3, 5, 2}}},
      {"ij,ij->ij", {"ij", "ij"}, "ij", {{3, 4}, {3, 4}}},
      {"ijk,j->ik", {"ijk", "j"}, "ik", {{3, 4, 2}, {4}}},
      {"ijk,l->i", {"ijk", "l"}, "i", {{3, 4, 2}, {5}}},
      {"ij,jk->ik", {"ij", "jk"}, "ik", {{3, 1}, {4, 5}}},
      {"bij,bij->b", {"bij", "bij"}, "b", {{3, 4, 2}, {3, 4, 2}}},
      {"ba", {"ba"}, "ab", {{2, 3}}},
  };
  return all;
}

TEST(Einsum, EveryCaseLayoutAndDtype) {
  for (const sy_dtype dtype :
       {SY_FLOAT32, SY_FLOAT64, SY_FLOAT16, SY_BFLOAT16, SY_INT8, SY_INT32, SY_UINT64}) {
    for (const Case& c : cases()) {
      SCOPED_TRACE(sy::text(sy::dtype_name(dtype), " ", c.equation));
      std::vector<Value> inputs;
      for (size_t i = 0; i < c.shapes.size(); ++i) {
        const auto numbers =
            small_integers(sy::element_count(c.shapes[i]), static_cast<int>(i), false);
        inputs.push_back(from_doubles(dtype, c.shapes[i], numbers));
      }
      Shape y;
      std::vector<double> expected = reference(c.terms, c.output, inputs, y);
      if (dtype == SY_INT8) {
        for (double& x : expected) x = static_cast<int8_t>(static_cast<int64_t>(x));
      }
      for (size_t layout = 0; layout < 3; ++layout) {
        OneNode node("Einsum", 12);
        node.attribute("equation", c.equation);
        for (const Value& input : inputs) node.input(layouts_of(input)[layout]);
        const Value laid = layouts_of(blank(dtype, y))[layout];
        expect_near(node.output(dtype, y, laid.strides, laid.offset).run(), expected, 0.5);
      }
    }
  }
}

TEST(Einsum, EmptySumsAreZero) {
  OneNode node("Einsum", 12);
  node.attribute("equation", "ij,jk->ik")
      .input(blank(SY_FLOAT32, {2, 0}))
      .input(blank(SY_FLOAT32, {0, 3}));
  EXPECT_EQ(as_doubles(node.output(SY_FLOAT32, {2, 3}).run()), std::vector<double>(6, 0.0));
}

TEST(Det, AgainstCofactors) {
  const auto cofactors = [](auto&& self, const std::vector<double>& m, int64_t n) -> double {
    if (n == 0) return 1;
    double sum = 0;
    for (int64_t j = 0; j < n; ++j) {
      std::vector<double> minor;
      for (int64_t i = 1; i < n; ++i) {
        for (int64_t k = 0; k < n; ++k) {
          if (k != j) minor.push_back(m[static_cast<size_t>(i * n + k)]);
        }
      }
      sum += (j % 2 == 0 ? 1 : -1) * m[static_cast<size_t>(j)] * self(self, minor, n - 1);
    }
    return sum;
  };
  for (const sy_dtype dtype : {SY_FLOAT32, SY_FLOAT64, SY_BFLOAT16}) {
    for (const int64_t n : {1, 2, 3, 5}) {
      const Value x = whole(dtype, {2, 3, n, n}, static_cast<int>(n));
      std::vector<double> expected;
      const auto numbers = as_doubles(x);
      for (int64_t i = 0; i < 6; ++i) {
        const auto begin = numbers.begin() + i * n * n;
        expected.push_back(cofactors(cofactors, {begin, begin + n * n}, n));
      }
      for (const Value& laid : layouts_of(x)) {
        expect_near(OneNode("Det", 11).input(laid).output(dtype, {2, 3}).run(), expected, 1, 1e-10);
      }
    }
  }
  const Value singular = value<float>({2, 2}, {1, 2, 2, 4});
  EXPECT_EQ(as_doubles(OneNode("Det", 11).input(singular).output(SY_FLOAT32, {}).run())[0], 0);
}

}  // namespace
}  // namespace cpu::testing

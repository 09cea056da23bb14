// Einsum against sums over every value of every letter, in double.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "ops/data.hpp"
#include "ops/floating_types.hpp"

namespace mps::op_tests {
namespace {

template <typename T>
struct Term {
  std::string letters;
  Shape shape;
  std::vector<T> elements;
};

// The axes of a term at these values of the letters; an extent of 1 is repeated.
template <typename T>
double element(const Term<T>& term, const std::map<char, int64_t>& at) {
  Shape position;
  for (size_t i = 0; i < term.letters.size(); ++i) {
    position.push_back(term.shape[i] == 1 ? 0 : at.at(term.letters[i]));
  }
  return static_cast<double>(term.elements[flat(term.shape, position)]);
}

template <typename T>
std::vector<T> solved(const std::vector<Term<T>>& terms, const std::string& output, Shape& shape) {
  std::map<char, int64_t> extents;
  for (const Term<T>& term : terms) {
    for (size_t i = 0; i < term.letters.size(); ++i) {
      int64_t& extent = extents.try_emplace(term.letters[i], 1).first->second;
      if (term.shape[i] != 1) extent = term.shape[i];
    }
  }
  std::string gone;
  Shape sums;
  for (const auto& [letter, extent] : extents) {
    if (output.find(letter) != std::string::npos) continue;
    gone += letter;
    sums.push_back(extent);
  }
  shape.clear();
  for (const char letter : output) shape.push_back(extents.at(letter));
  return made_by<T>(shape, [&](const Shape& outer) {
    std::map<char, int64_t> at;
    for (size_t i = 0; i < output.size(); ++i) at[output[i]] = outer[i];
    double sum = 0;
    each_position(sums, [&](const Shape& inner) {
      for (size_t i = 0; i < gone.size(); ++i) at[gone[i]] = inner[i];
      double product = 1;
      for (const Term<T>& term : terms) product *= element(term, at);
      sum += product;
    });
    return sum;
  });
}

// `letters` are the terms with letters for ellipses, `equation` what the node has.
template <typename T>
void expect_einsum(const std::string& equation, const std::vector<std::string>& letters,
                   const std::vector<Shape>& shapes, const std::string& output, double tolerance) {
  SCOPED_TRACE(equation);
  Case node("Einsum", 12);
  node.attribute("equation", equation.c_str());
  std::vector<Term<T>> terms;
  for (size_t i = 0; i < letters.size(); ++i) {
    auto elements = numbers<T>(count_of(shapes[i]), static_cast<unsigned>(i + 1));
    for (T& one : elements) one = static_cast<T>(static_cast<float>(one) / 4);
    terms.push_back({letters[i], shapes[i], elements});
    node.input(shapes[i], elements);
  }
  Shape shape;
  const auto expected = solved(terms, output, shape);
  node.expect(shape, expected, tolerance);
}

template <typename T>
class EinsumOf : public testing::Test {
 protected:
  void expect(const std::string& equation, const std::vector<std::string>& letters,
              const std::vector<Shape>& shapes, const std::string& output) {
    expect_einsum<T>(equation, letters, shapes, output, sizeof(T) == 4 ? 1e-5 : 2e-3);
  }
};
TYPED_TEST_SUITE(EinsumOf, FloatAndHalf);

TYPED_TEST(EinsumOf, OneTerm) {
  this->expect("ij->ji", {"ij"}, {{3, 4}}, "ji");
  this->expect("ij", {"ij"}, {{3, 4}}, "ij");
  this->expect("ba", {"ba"}, {{3, 4}}, "ab");
  this->expect("ijk->k", {"ijk"}, {{3, 4, 2}}, "k");
  this->expect("ij->", {"ij"}, {{3, 4}}, "");
  this->expect("...ij->...ji", {"xyij"}, {{2, 1, 3, 4}}, "xyji");
}

TYPED_TEST(EinsumOf, TwoTerms) {
  this->expect("bij, bjk -> bik", {"bij", "bjk"}, {{2, 3, 4}, {2, 4, 5}}, "bik");
  this->expect("ij,jk", {"ij", "jk"}, {{3, 4}, {4, 5}}, "ik");
  this->expect("i,i", {"i", "i"}, {{9}, {9}}, "");
  this->expect("i,j->ji", {"i", "j"}, {{3}, {4}}, "ji");
  this->expect("ij,ij->ij", {"ij", "ij"}, {{3, 4}, {3, 4}}, "ij");
  this->expect("ij,kl->il", {"ij", "kl"}, {{3, 2}, {4, 5}}, "il");
  this->expect("bhid,bhjd->bhij", {"bhid", "bhjd"}, {{2, 2, 3, 4}, {2, 2, 5, 4}}, "bhij");
  this->expect("abc,cd->dab", {"abc", "cd"}, {{2, 3, 4}, {4, 5}}, "dab");
  this->expect("...ij,jk->...ik", {"xij", "jk"}, {{2, 3, 4}, {4, 5}}, "xik");
}

// Axes of ellipses are aligned at their end, and extents of 1 repeated.
TYPED_TEST(EinsumOf, RepeatedExtents) {
  this->expect("...i,...i->...", {"xyi", "yi"}, {{2, 3, 4}, {1, 4}}, "xy");
  this->expect("ij,ij->j", {"ij", "ij"}, {{3, 4}, {3, 1}}, "j");
}

TYPED_TEST(EinsumOf, Diagonals) {
  this->expect("ii->i", {"ii"}, {{4, 4}}, "i");
  this->expect("ii", {"ii"}, {{4, 4}}, "");
  this->expect("...ii->...i", {"xii"}, {{3, 4, 4}}, "xi");
  this->expect("iji,jk->ik", {"iji", "jk"}, {{3, 2, 3}, {2, 5}}, "ik");
  this->expect("ii,i,ij->j", {"ii", "i", "ij"}, {{3, 3}, {3}, {3, 2}}, "j");
}

TYPED_TEST(EinsumOf, ManyTerms) {
  this->expect("ij,jk,kl->il", {"ij", "jk", "kl"}, {{2, 3}, {3, 4}, {4, 2}}, "il");
  this->expect("a,b,c,abc->", {"a", "b", "c", "abc"}, {{2}, {3}, {2}, {2, 3, 2}}, "");
}

TYPED_TEST(EinsumOf, NothingToSum) {
  this->expect("ij,jk->ik", {"ij", "jk"}, {{2, 0}, {0, 3}}, "ik");
  this->expect("ij->i", {"ij"}, {{2, 0}}, "i");
  this->expect("ij->ji", {"ij"}, {{2, 0}}, "ji");
}

TEST(Einsum, Integers) {
  Case("Einsum", 12)
      .attribute("equation", "ij,jk->ik")
      .input<int32_t>({2, 2}, {1, 2, 3, -4})
      .input<int32_t>({2, 1}, {1000000000, 7})
      .expect<int32_t>({2, 1}, {1000000014, static_cast<int32_t>(3000000000 - 28)});
  Case("Einsum", 12)
      .attribute("equation", "ii->i")
      .input<int64_t>({2, 2}, {int64_t{1} << 40, 2, 3, -4})
      .expect<int64_t>({2}, {int64_t{1} << 40, -4});
}

TEST(Einsum, WhatIsNotANumber) {
  Case("Einsum", 12)
      .attribute("equation", "ij,j->i")
      .input<float>({3, 2}, {1, 2, NAN, 1, INFINITY, 1})
      .input<float>({2}, {1, 2})
      .expect<float>({3}, {5, NAN, INFINITY});
}

TEST(Einsum, Refusals) {
  const auto failure = [](const char* equation, size_t terms, auto zero) {
    Case node("Einsum", 12);
    node.attribute("equation", equation);
    for (size_t i = 0; i < terms; ++i) node.input<decltype(zero)>({2, 2}, {1, 2, 3, 4});
    return node.output<decltype(zero)>({2}, {1, 2}).failure();
  };
  EXPECT_EQ(failure("ii,ij,ij,ij->i", 4, 0.0f).reason(), SY_REASON_ATTRIBUTE);
  EXPECT_EQ(failure("ij,ij,ij,ij->i", 4, int32_t{0}).reason(), SY_REASON_ATTRIBUTE);
  EXPECT_EQ(failure("i->i", 1, 0.0f).status(), SY_INVALID);
}

}  // namespace
}  // namespace mps::op_tests

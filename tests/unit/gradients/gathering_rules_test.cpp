// Gradients of indices, of reading and writing at them, of moves and of order, to second order.
#include <gtest/gtest.h>

#include <switchyard/autograd.hpp>

#include "functions/calls/call.hpp"
#include "functions/indexing/indexed_elements.hpp"
#include "gradients/gradcheck.hpp"
#include "tensor/host_tensor.hpp"

namespace switchyard {
namespace {

using In = std::span<const Tensor>;
using Unary = Tensor (*)(const Tensor&);

constinit const EagerOp kGather("Gather"), kGatherND("GatherND"), kScatterND("ScatterND"),
    kScatterElements("ScatterElements"), kCompress("Compress"), kOneHot("OneHot"), kSplit("Split"),
    kReverseSequence("ReverseSequence"), kDepthToSpace("DepthToSpace"),
    kSpaceToDepth("SpaceToDepth");

Tensor longs(std::initializer_list<std::int64_t> values, const Dims& shape) {
  return tensor(values).reshape(shape);
}
Tensor plain() { return scattered({2, 3, 4}, -1, 1, 3); }
Tensor turned() { return strided(plain()); }

void check(std::initializer_list<Unary> functions) {
  for (const Unary f : functions) {
    CHECK_GRADIENTS([f](In in) { return square(f(in[0])); }, {plain()});
    CHECK_GRADIENTS([f](In in) { return square(f(in[0])); }, {turned()});
    CHECK_GRADIENTS(
        [f](In in) {
          return f(in[0].expand({2, 3, 4}) * in[1]);
        },
        {scattered({3, 1}, -1, 1, 6), plain()});
  }
}

TEST(GradientRules, OfIndices) {
  check({[](const Tensor& t) -> Tensor {
           return t[{1, Slice(0, {}, 2)}];
         },
         [](const Tensor& t) -> Tensor {
           return t[longs({1, 0, 1}, {3})];
         },
         [](const Tensor& t) -> Tensor {
           return t[{Slice(), longs({2, -3, 2, 0}, {2, 2})}];
         },
         [](const Tensor& t) -> Tensor {
           return t[{longs({1, 1}, {2}), Slice(), longs({0, -1}, {2, 1})}];
         },
         [](const Tensor& t) -> Tensor {
           return t[{Slice(), longs({1, 1}, {2}), longs({0, 0}, {2})}];
         },
         [](const Tensor& t) -> Tensor {
           return t[gt(scattered({2, 3}), 0)];
         },
         [](const Tensor& t) -> Tensor {
           return masked_select(t, gt(scattered({3, 4}), 0));
         }});
}

TEST(GradientRules, OfReadingAtIndices) {
  check({[](const Tensor& t) {
           return index_select(t, 1, longs({2, 0, 2}, {3}));
         },
         [](const Tensor& t) {
           return gather(t, 1, longs({0, 2, 2, 1, 1, 1}, {2, 3, 1}));
         },
         [](const Tensor& t) {
           return embedding(longs({0, 2, 2, 1}, {2, 2}), t[0]);
         },
         [](const Tensor& t) {
           return kGather({t, longs({-1, 0}, {2})}, attributes({{"axis", std::int64_t{-1}}}));
         },
         [](const Tensor& t) {
           return kGatherND({t, longs({1, 2, 0, -3, 1, 2}, {3, 2})});
         },
         [](const Tensor& t) {
           return kGatherND({t, longs({2, 2, 0, 1}, {2, 2, 1})},
                            attributes({{"batch_dims", std::int64_t{1}}}));
         },
         [](const Tensor& t) {
           return kGatherND({t, longs({3, 0, 1, 1, 2, 2}, {2, 3, 1})},
                            attributes({{"batch_dims", std::int64_t{2}}}));
         }});
}

TEST(GradientRules, OfWritingAtIndices) {
  const Tensor positions = longs({0, 2, 1, 1, 0, 2}, {2, 3, 1}),
               source = scattered({2, 3, 1}, -1, 1, 9);
  const Tensor index = longs({2, 0}, {2}), slices = strided(scattered({2, 2, 4}, -1, 1, 9));
  const Tensor apart = longs({0, 2, 1, 0}, {2, 2, 1});
  for (const Tensor& x : {plain(), turned()}) {
    CHECK_GRADIENTS([&](In in) { return square(scatter_add(in[0], 1, positions, in[1])); },
                    {x, source});
    CHECK_GRADIENTS([&](In in) { return square(scatter(in[0], -2, apart, in[1])); },
                    {x, scattered({2, 2, 1}, -1, 1, 9)});
    CHECK_GRADIENTS([&](In in) { return square(index_add(in[0], 1, index, in[1])); }, {x, slices});
    CHECK_GRADIENTS(
        [&](In in) {
          return square(kScatterND({in[0], longs({1, 2, 0, 0}, {2, 2}), in[1]}));
        },
        {x, scattered({2, 4}, -1, 1, 9)});
  }
  const Tensor twice = longs({1, 1, 1}, {3});
  CHECK_GRADIENTS([&](In in) { return square(index_add(in[0], 0, twice, in[1])); },
                  {scattered({2}), scattered({3}, -1, 1, 2)});
}

TEST(GradientRules, OfAssignments) {
  const auto assign = [](std::vector<Index> indices) {
    return [indices](In in) {
      const Tensor target = (in[0] * 2).contiguous();
      target.index_put_(indices, in[1]);
      return square(target);
    };
  };
  const Tensor mask = gt(scattered({2, 3}), 0);
  CHECK_GRADIENTS(assign({1, Slice(0, {}, 2)}), {plain(), scattered({2, 4}, -1, 1, 9)});
  CHECK_GRADIENTS(assign({Ellipsis(), 1}), {turned(), scattered({3}, -1, 1, 9)});
  CHECK_GRADIENTS(assign({longs({1}, {1})}), {plain(), scattered({4}, -1, 1, 9)});
  CHECK_GRADIENTS(assign({Slice(), longs({2, 0}, {2}), longs({0, 1}, {2})}),
                  {turned(), scattered({2}, -1, 1, 9)});
  CHECK_GRADIENTS(assign({mask}), {plain(), scattered({4}, -1, 1, 9)});
  CHECK_GRADIENTS(assign({mask}), {plain(), scattered({}, -1, 1, 9)});
}

TEST(GradientRules, OfReductionsWhileScattering) {
  const Tensor positions = longs({0, 2, 0, 0, -1, 2}, {2, 3, 1}), tuples = longs({1, 0, 1}, {3, 1});
  for (const char* reduction : {"mul", "max", "min"}) {
    const auto given =
        attributes({{"axis", std::int64_t{1}}, {"reduction", std::string(reduction)}});
    CHECK_GRADIENTS(
        [&](In in) {
          return square(kScatterElements({in[0], positions, in[1]}, given));
        },
        {turned(), strided(scattered({2, 3, 1}, -1, 1, 9))});
    const auto nd = attributes({{"reduction", std::string(reduction)}});
    CHECK_GRADIENTS(
        [&](In in) {
          return square(kScatterND({in[0], tuples, in[1]}, nd));
        },
        {turned(), strided(scattered({3, 3, 4}, -1, 1, 9))});
  }
  const auto multiply = attributes({{"reduction", std::string("mul")}});
  CHECK_GRADIENTS(
      [&](In in) {
        return kScatterElements({in[0], longs({0, 0, 1}, {3}), in[1]}, multiply);
      },
      {scattered({2}), tensor({0., 0., 2.}, {.dtype = DType::float64})}, {.spread = false});
}

TEST(GradientRules, OfChoosing) {
  check({[](const Tensor& t) {
           return kCompress({t, tensor({true, false, true})},
                            attributes({{"axis", std::int64_t{2}}}));
         },
         [](const Tensor& t) {
           return kCompress({t, tensor({true, false, true, true})});
         }});
  const Tensor index = longs({0, 2, -1, 7}, {2, 2});
  CHECK_GRADIENTS(
      [&](In in) {
        return square(
            kOneHot({index, int64_scalar(3), in[0]}, attributes({{"axis", std::int64_t{1}}})));
      },
      {scattered({2})});
}

TEST(GradientRules, OfOrder) {
  check({[](const Tensor& t) { return topk(t, 2).values; },
         [](const Tensor& t) { return topk(t, 1, 1, false).values; },
         [](const Tensor& t) { return sort(t, 0).values; },
         [](const Tensor& t) { return sort(t, -1, true).values; }});
}

TEST(GradientRules, OfWhatIsUnique) {
  constinit static const EagerOp kUnique("Unique");
  const auto by_row = attributes({{"axis", std::int64_t{0}}, {"sorted", std::int64_t{0}}});
  CHECK_GRADIENTS([&](In in) { return square(kUnique({in[0]})); }, {turned()});
  CHECK_GRADIENTS([&](In in) { return square(kUnique({in[0]}, by_row)); }, {turned()});
}

TEST(GradientRules, OfCounting) {
  constinit static const EagerOp kRange("Range");
  const Tensor limit = host_scalar(2.05);
  CHECK_GRADIENTS(
      [&](In in) {
        return square(kRange({in[0], limit, in[1]}));
      },
      {host_scalar(0.5), host_scalar(0.25)});
}

TEST(GradientRules, OfMoves) {
  check({[](const Tensor& t) {
           return flip(t, {0, 2});
         },
         [](const Tensor& t) { return roll(t, 3, 1); }, [](const Tensor& t) { return triu(t, 1); },
         [](const Tensor& t) { return tril(t); },
         [](const Tensor& t) {
           return repeat(t, {2, 1, 3, 1});
         },
         [](const Tensor& t) {
           return as_strided_scatter_add({5, 7}, t, {3, 0, 4}, 2);
         },
         [](const Tensor& t) {
           return kReverseSequence(
               {t, longs({1, 3}, {2})},
               attributes({{"batch_axis", std::int64_t{0}}, {"time_axis", std::int64_t{1}}}));
         }});
}

TEST(GradientRules, OfPartsOfWhichSomeAreUsed) {
  const auto given = attributes({{"axis", std::int64_t{-1}}});
  CHECK_GRADIENTS(
      [&](In in) {
        const auto parts = kSplit.outputs(3, {in[0], int64s(Dims{1, 1, 2})}, given);
        return parts[0] * parts[2];
      },
      {turned()});
  const auto even = attributes({{"axis", std::int64_t{1}}, {"num_outputs", std::int64_t{2}}});
  CHECK_GRADIENTS([&](In in) { return square(kSplit.outputs(2, {in[0]}, even)[1]); }, {plain()});
}

TEST(GradientRules, OfDepthAndSpace) {
  const auto blocks = attributes({{"blocksize", std::int64_t{2}}});
  const auto by_column = attributes({{"blocksize", std::int64_t{2}}, {"mode", std::string("CRD")}});
  const Tensor deep = strided(scattered({1, 8, 2, 3})), wide = strided(scattered({2, 1, 4, 2}));
  CHECK_GRADIENTS([&](In in) { return square(kDepthToSpace({in[0]}, blocks)); }, {deep});
  CHECK_GRADIENTS([&](In in) { return square(kDepthToSpace({in[0]}, by_column)); }, {deep});
  CHECK_GRADIENTS([&](In in) { return square(kSpaceToDepth({in[0]}, blocks)); }, {wide});
}

TEST(GradientRules, OfEmbeddingsPassThePaddingBy) {
  const Tensor weight = scattered({3, 2}).requires_grad_();
  sum(embedding(longs({0, 1, 1}, {3}), weight, -2)).backward();
  EXPECT_EQ(weight.grad().to_vector<double>(), (std::vector<double>{1, 1, 0, 0, 0, 0}));
}

TEST(GradientRules, OfIndicesOfNothing) {
  const Tensor x = scattered({2, 3}).requires_grad_();
  sum(x[zeros({0}, {.dtype = DType::int64})]).backward();
  sum(x[zeros({2}, {.dtype = DType::bool_})]).backward();
  EXPECT_EQ(x.grad().to_vector<double>(), std::vector<double>(6, 0.0));
}

}  // namespace
}  // namespace switchyard

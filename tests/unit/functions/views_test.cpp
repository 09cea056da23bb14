// Views: values, shared elements, dimensions from the end, errors; and copies of parts.
#include <gmock/gmock.h>

#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "functions/indexing/indexed_elements.hpp"
#include "functions/reductions/sum_to.hpp"
#include "functions/thrown.hpp"
#include "functions/values.hpp"
#include "tensor/host_tensor.hpp"

namespace switchyard {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// 0, 1, 2, ... in that shape.
Tensor counted(const Dims& shape) {
  return arange(0, element_count(shape), 1, {.dtype = DType::float32}).reshape(shape);
}

/// Whether a write to the view is seen in what it views.
bool shares(const Tensor& view, const Tensor& base) {
  const double before = sum(base).item();
  view.add_(1);
  const bool is_seen = sum(base).item() == before + static_cast<double>(view.size());
  view.sub_(1);
  return is_seen;
}

TEST(Views, Reshape) {
  const Tensor x = counted({2, 6});
  EXPECT_EQ(reshape(x, {3, -1}).shape(), (Dims{3, 4}));
  EXPECT_EQ(reshape(x, {-1}).shape(), (Dims{12}));
  EXPECT_EQ(reshape(x, {1, 12, 1}).shape(), (Dims{1, 12, 1}));
  EXPECT_EQ(values(reshape(x, {4, 3}).select(0, 3)), (std::vector<double>{9, 10, 11}));
  EXPECT_TRUE(shares(reshape(x, {3, 4}), x));
  EXPECT_TRUE(shares(x.t().t().view({12}), x));
  EXPECT_TRUE(shares(x.narrow(1, 0, 4).view({2, 2, 2}), x)) << "within rows";
  EXPECT_FALSE(shares(reshape(x.t(), {12}), x)) << "is a copy";
  EXPECT_THAT(values(reshape(x.t(), {12})), ElementsAre(0, 6, 1, 7, 2, 8, 3, 9, 4, 10, 5, 11));
  EXPECT_EQ(reshape(full({}, 1.0), {1, 1}).shape(), (Dims{1, 1}));
  EXPECT_EQ(reshape(ones({1}), {}).dim(), 0);
  EXPECT_EQ(reshape(zeros({0, 3}), {3, 0, 2}).shape(), (Dims{3, 0, 2}));
  EXPECT_EQ(reshape(zeros({0, 3}), {-1, 3}).shape(), (Dims{0, 3}));
}

TEST(Views, ReshapeRefuses) {
  const Tensor x = counted({2, 6});
  EXPECT_THAT(thrown([&] {
                reshape(x, {5, -1});
              }),
              AllOf(HasSubstr("[2, 6]"), HasSubstr("[5, -1]")));
  EXPECT_THAT(thrown([&] { reshape(x, {-1, -1}); }), HasSubstr("[reshape]"));
  EXPECT_THAT(thrown([&] { reshape(x, {-2, 6}); }), HasSubstr("[reshape]"));
  EXPECT_THAT(thrown([&] { reshape(zeros({0}), {-1, 0}); }), HasSubstr("[reshape]"));
  EXPECT_THAT(thrown([&] { x.t().view({12}); }),
              AllOf(HasSubstr("[view] no view of shape [12]"), HasSubstr("reshape()")));
}

TEST(Views, FlattenAndUnflatten) {
  const Tensor x = counted({2, 3, 4});
  EXPECT_EQ(flatten(x).shape(), (Dims{24}));
  EXPECT_EQ(flatten(x, 1).shape(), (Dims{2, 12}));
  EXPECT_EQ(flatten(x, 0, -2).shape(), (Dims{6, 4}));
  EXPECT_EQ(flatten(x, 1, 1).shape(), (Dims{2, 3, 4}));
  EXPECT_EQ(flatten(full({}, 1.0)).shape(), (Dims{1}));
  EXPECT_TRUE(shares(flatten(x), x));
  EXPECT_THAT(thrown([&] { flatten(x, 2, 1); }), HasSubstr("[flatten]"));
  EXPECT_EQ(unflatten(x, -1, {2, 2}).shape(), (Dims{2, 3, 2, 2}));
  EXPECT_EQ(unflatten(x, 0, {-1, 1}).shape(), (Dims{2, 1, 3, 4}));
  EXPECT_TRUE(shares(unflatten(x, 1, {3, 1}), x));
  EXPECT_THAT(thrown([&] { unflatten(x, 2, {3, -1}); }), HasSubstr("[unflatten]"));
  EXPECT_THAT(thrown([&] { unflatten(zeros({0, 4}), 1, {2, 3}); }), HasSubstr("[unflatten]"));
}

TEST(Views, TransposePermuteMovedim) {
  const Tensor x = counted({2, 3, 4});
  EXPECT_EQ(transpose(x, 0, -1).shape(), (Dims{4, 3, 2}));
  EXPECT_EQ(transpose(x, 0, -1)[3][1][0].item(), 7);
  EXPECT_TRUE(shares(transpose(x, 0, 1), x));
  EXPECT_EQ(permute(x, {2, 0, 1}).shape(), (Dims{4, 2, 3}));
  EXPECT_EQ(permute(x, {-1, 0, 1})[3][1][0].item(), 15);
  EXPECT_TRUE(shares(permute(x, {2, 0, 1}), x));
  EXPECT_EQ(movedim(x, 0, 2).shape(), (Dims{3, 4, 2}));
  EXPECT_EQ(movedim(x, -1, 0).shape(), (Dims{4, 2, 3}));
  EXPECT_EQ(movedim(x, 1, 1).shape(), (Dims{2, 3, 4}));
  EXPECT_TRUE(shares(movedim(x, 0, 2), x));
  EXPECT_EQ(counted({2, 3}).t().shape(), (Dims{3, 2}));
  EXPECT_EQ(counted({3}).t().shape(), (Dims{3}));
  EXPECT_EQ(transpose(full({}, 1.0), 0, -1).dim(), 0);
  EXPECT_THAT(thrown([&] { x.t(); }), HasSubstr("[t] needs a tensor of rank 0 to 2"));
  EXPECT_THAT(thrown([&] { transpose(x, 0, 3); }), HasSubstr("[transpose] dimension 3"));
  EXPECT_THAT(thrown([&] { permute(x, {0, 1}); }), HasSubstr("[permute]"));
  EXPECT_THAT(thrown([&] { permute(x, {0, 1, -3}); }), HasSubstr("named twice"));
  EXPECT_THAT(thrown([&] { movedim(x, 0, -4); }), HasSubstr("[movedim] dimension -4"));
}

TEST(Views, SqueezeUnsqueezeExpand) {
  const Tensor x = counted({1, 3, 1});
  EXPECT_EQ(squeeze(x).shape(), (Dims{3}));
  EXPECT_EQ(squeeze(x, -1).shape(), (Dims{1, 3}));
  EXPECT_EQ(squeeze(x, 1).shape(), (Dims{1, 3, 1}));
  EXPECT_EQ(squeeze(ones({1, 1})).dim(), 0);
  EXPECT_EQ(squeeze(full({}, 1.0), 0).dim(), 0);
  EXPECT_TRUE(shares(squeeze(x), x));
  EXPECT_EQ(unsqueeze(x, 0).shape(), (Dims{1, 1, 3, 1}));
  EXPECT_EQ(unsqueeze(x, -1).shape(), (Dims{1, 3, 1, 1}));
  EXPECT_EQ(unsqueeze(full({}, 1.0), -1).shape(), (Dims{1}));
  EXPECT_TRUE(shares(unsqueeze(x, 1), x));
  EXPECT_THAT(thrown([&] { squeeze(x, 3); }), HasSubstr("[squeeze] dimension 3"));
  EXPECT_THAT(thrown([&] { unsqueeze(x, 4); }), HasSubstr("[unsqueeze] dimension 4"));
  const Tensor wide = expand(x, {2, -1, 4});
  EXPECT_EQ(wide.shape(), (Dims{2, 3, 4}));
  EXPECT_EQ(wide.strides()[0], 0);
  EXPECT_THAT(values(wide.select(0, 1).select(1, 3)), ElementsAre(0, 1, 2));
  x.fill_(5);
  EXPECT_EQ(sum(wide).item(), 120) << "it shows the same elements";
  EXPECT_EQ(broadcast_to(x, {2, 1, 3, 1}).shape(), (Dims{2, 1, 3, 1}));
  EXPECT_EQ(expand(full({}, 1.0), {2, 0}).shape(), (Dims{2, 0}));
  EXPECT_THAT(thrown([&] {
                expand(x, {2, 4, 1});
              }),
              AllOf(HasSubstr("[expand]"), HasSubstr("[1, 3, 1]"), HasSubstr("[2, 4, 1]")));
  EXPECT_THAT(thrown([&] { expand(x, {-1, 1, 3, 1}); }), HasSubstr("[expand]"));
  EXPECT_THAT(thrown([&] { expand(x, {3}); }), HasSubstr("[expand]"));
}

TEST(Views, SelectNarrowSlice) {
  const Tensor x = counted({2, 5});
  EXPECT_THAT(values(select(x, 1, -1)), ElementsAre(4, 9));
  EXPECT_THAT(values(select(x, -2, 1)), ElementsAre(5, 6, 7, 8, 9));
  EXPECT_TRUE(shares(select(x, 1, 2), x));
  EXPECT_THAT(values(narrow(x, 1, 3, 2)), ElementsAre(3, 4, 8, 9));
  EXPECT_THAT(values(narrow(x, -1, -2, 1)), ElementsAre(3, 8));
  EXPECT_EQ(narrow(x, 1, 5, 0).shape(), (Dims{2, 0}));
  EXPECT_TRUE(shares(narrow(x, 1, 1, 3), x));
  EXPECT_THAT(values(slice(x, 1, 0, 5, 2)), ElementsAre(0, 2, 4, 5, 7, 9));
  EXPECT_THAT(values(slice(x, 1, -2, 100)), ElementsAre(3, 4, 8, 9));
  EXPECT_THAT(values(slice(x, 1, -100, -4)), ElementsAre(0, 5));
  EXPECT_THAT(values(slice(x, 1, 4, 2)), IsEmpty());
  EXPECT_TRUE(shares(slice(x, 1, 0, 5, 3), x));
  EXPECT_TRUE(shares(slice(slice(x, 1, 1, 5), 1, 0, 4, 2).t(), x)) << "views of views";
  EXPECT_THAT(thrown([&] { select(x, 1, 5); }), HasSubstr("[select] index 5"));
  EXPECT_THAT(thrown([&] { select(x, 1, -6); }), HasSubstr("[select] index -6"));
  EXPECT_THAT(thrown([&] { select(full({}, 1.0), 0, 0); }), HasSubstr("[select]"));
  EXPECT_THAT(thrown([&] { narrow(x, 1, 4, 2); }), HasSubstr("[narrow]"));
  EXPECT_THAT(thrown([&] { narrow(x, 1, 0, -1); }), HasSubstr("[narrow]"));
  EXPECT_THAT(thrown([&] { slice(x, 1, 0, 5, 0); }), HasSubstr("[slice] step is 0"));
}

TEST(Views, ExtentsTooLargeDoNotWrapRound) {
  const Tensor x = ones({4});
  const std::int64_t wide = std::int64_t{1} << 33;
  EXPECT_THAT(thrown([&] { x.view({wide, wide, 4}); }), HasSubstr("do not make shape"));
  EXPECT_THAT(thrown([&] { x.view({-1, -1}); }), HasSubstr("do not make shape [-1, -1]"));
}

TEST(Views, AsStrided) {
  const Tensor x = counted({3, 4});
  EXPECT_THAT(values(as_strided(x, {2, 2}, {4, 1}, 5)), ElementsAre(5, 6, 9, 10));
  EXPECT_THAT(values(as_strided(x, {3}, {5})), ElementsAre(0, 5, 10));
  EXPECT_THAT(values(as_strided(x, {2, 3}, {1, 1}, 0)), ElementsAre(0, 1, 2, 1, 2, 3));
  EXPECT_TRUE(shares(as_strided(x, {3}, {5}), x));
  EXPECT_THAT(values(as_strided(x.select(0, 1), {2}, {1}, 1)), ElementsAre(5, 6))
      << "counts from the first element of the view";
  EXPECT_EQ(as_strided(x, {0, 9}, {100, 100}).shape(), (Dims{0, 9}));
  EXPECT_THAT(thrown([&] { as_strided(x, {1300}, {1}); }),
              AllOf(HasSubstr("[as_strided]"), HasSubstr("[1300]")));
  EXPECT_THAT(thrown([&] { as_strided(x, {2}, {-1}); }), HasSubstr("strides [-1]"));
  const std::int64_t wide = std::int64_t{1} << 62;
  EXPECT_THAT(thrown([&] { as_strided(x, {5}, {wide}); }), HasSubstr("do not lie"))
      << "4 wide is 0";
  EXPECT_THAT(thrown([&] { as_strided(x, {5, 3}, {wide, wide}); }), HasSubstr("do not lie"));
  EXPECT_THAT(thrown([&] { as_strided(x, {1}, {1}, INT64_MAX); }), HasSubstr("do not lie"));
  EXPECT_THAT(thrown([&] { as_strided(x, {0}, {1}, INT64_MAX); }), HasSubstr("do not lie"));
  EXPECT_THAT(thrown([&] { as_strided(x, {2}, {1}, 1100); }), HasSubstr("[as_strided]"));
  EXPECT_THAT(thrown([&] { as_strided(x, {2}, {-1}, 3); }), HasSubstr("[as_strided]"));
  EXPECT_THAT(thrown([&] { as_strided(x, {2, 2}, {1}); }), HasSubstr("[as_strided]"));
}

TEST(Views, Diagonal) {
  const Tensor x = counted({3, 4});
  EXPECT_THAT(values(diagonal(x)), ElementsAre(0, 5, 10));
  EXPECT_THAT(values(diagonal(x, 1)), ElementsAre(1, 6, 11));
  EXPECT_THAT(values(diagonal(x, 3)), ElementsAre(3));
  EXPECT_THAT(values(diagonal(x, -1)), ElementsAre(4, 9));
  EXPECT_THAT(values(diagonal(x, 4)), IsEmpty());
  EXPECT_THAT(values(diagonal(x, -9)), IsEmpty());
  EXPECT_EQ(diagonal(zeros({0, 40, 40}), 30, 1, 2).shape(), (Dims{0, 10}));
  EXPECT_TRUE(shares(diagonal(x), x));
  EXPECT_TRUE(shares(diagonal(x.t(), 1), x)) << "of a view";
  EXPECT_THAT(values(diagonal(x.t(), 1)), ElementsAre(4, 9));
  EXPECT_THAT(values(diagonal(x.narrow(1, 1, 3))), ElementsAre(1, 6, 11));
  const Tensor cube = counted({2, 3, 3});
  EXPECT_THAT(values(diagonal(cube, 0, -2, -1)), ElementsAre(0, 4, 8, 9, 13, 17));
  EXPECT_EQ(diagonal(cube, 0, 0, 1).shape(), (Dims{3, 2}));
  EXPECT_THAT(values(diagonal(cube, 0, 1, 0).select(0, 2)), ElementsAre(2, 14));
  EXPECT_THAT(values(diagonal(host_tensor<float>({2, 2}, std::vector<float>{1, 2, 3, 4}))),
              ElementsAre(1, 4))
      << "of a value of the host";
  EXPECT_THAT(thrown([&] { diagonal(x, 0, 1, -1); }), HasSubstr("[diagonal]"));
  EXPECT_THAT(thrown([&] { diagonal(counted({3})); }), HasSubstr("[diagonal]"));
}

TEST(Views, DiagonalOfAViewHasItsGradient) {
  const Tensor x = counted({2, 3}).requires_grad_();
  sum(diagonal(x.t(), -1) * tensor({3., 5.})).backward();
  EXPECT_THAT(values(x.grad()), ElementsAre(0, 3, 0, 0, 0, 5));
  const Tensor y = counted({3, 3}).requires_grad_();
  const Tensor part = y.narrow(1, 1, 2) * 1;
  sum(square(diagonal(part.t()))).backward();
  EXPECT_THAT(values(y.grad()), ElementsAre(0, 2, 0, 0, 0, 10, 0, 0, 0));
}

TEST(Views, OfHostValuesAreCopiesOfTheirOwn) {
  const Tensor host = host_tensor<float>({2}, std::vector<float>{2, 3});
  host[0].fill_(7);
  reshape(host, {1, 2}).mul_(10);
  EXPECT_EQ(host[0].item(), 2);
  EXPECT_THAT(values(reshape(host, {2, 1})), ElementsAre(2, 3));
  const Tensor leaf = host.clone().requires_grad_();
  EXPECT_TRUE(reshape(leaf, {2, 1}).requires_grad());
  EXPECT_FALSE(reshape(leaf.detach(), {2, 1}).requires_grad());
}

TEST(Views, SplitChunkUnbind) {
  const Tensor x = counted({2, 5});
  const std::vector<Tensor> pairs = split(x, 2, 1);
  ASSERT_EQ(pairs.size(), 3u);
  EXPECT_THAT(values(pairs[2]), ElementsAre(4, 9));
  EXPECT_TRUE(shares(pairs[1], x));
  const std::vector<Tensor> uneven = split(x, Dims{1, 0, 4}, -1);
  EXPECT_EQ(uneven[1].shape(), (Dims{2, 0}));
  EXPECT_THAT(values(uneven[0]), ElementsAre(0, 5));
  EXPECT_EQ(split(zeros({0, 2}), 3).size(), 1u);
  ASSERT_EQ(chunk(x, 2, 1).size(), 2u);
  EXPECT_EQ(chunk(x, 2, 1)[0].shape(), (Dims{2, 3}));
  EXPECT_EQ(chunk(x, 4, 1).size(), 3u) << "as PyTorch: of 2, 2 and 1";
  EXPECT_EQ(chunk(zeros({0, 2}), 3).size(), 3u);
  EXPECT_EQ(chunk(x, 9, 0).size(), 2u);
  ASSERT_EQ(unbind(x).size(), 2u);
  EXPECT_THAT(values(unbind(x, -1)[3]), ElementsAre(3, 8));
  EXPECT_TRUE(shares(unbind(x)[1], x));
  const Tensor row = arange(150.).requires_grad_();  // more than one call gives
  const std::vector<Tensor> many = unbind(row);
  ASSERT_EQ(many.size(), 150u);
  for (std::size_t i = 0; i < many.size(); ++i) ASSERT_EQ(many[i].item(), i);
  sum(stack(many) * row).backward();
  EXPECT_EQ(values(row.grad()), values(row * 2));
  EXPECT_TRUE(unbind(zeros({0, 2})).empty());
  EXPECT_THAT(thrown([&] { split(x, Dims{2, 2}, 1); }), HasSubstr("do not add up to extent 5"));
  EXPECT_THAT(thrown([&] { split(x, Dims{6, -1}, 1); }), HasSubstr("[split] size -1"));
  EXPECT_THAT(thrown([&] { split(x, 0, 1); }), HasSubstr("[split] size is 0"));
  EXPECT_THAT(thrown([&] { chunk(x, 0); }), HasSubstr("[chunk]"));
  EXPECT_THAT(thrown([&] { unbind(full({}, 1.0)); }), HasSubstr("[unbind]"));
}

TEST(Views, Joined) {
  const Tensor x = counted({2, 2});
  EXPECT_THAT(values(cat({x, x + 10}, 1)), ElementsAre(0, 1, 10, 11, 2, 3, 12, 13));
  EXPECT_THAT(values(cat({x.t(), x.narrow(0, 0, 1)}, -2)), ElementsAre(0, 2, 1, 3, 0, 1));
  EXPECT_EQ(cat({zeros({0, 2}), x}).shape(), (Dims{2, 2}));
  EXPECT_EQ(stack({x, x}).shape(), (Dims{2, 2, 2}));
  EXPECT_THAT(values(stack({x, x + 10}, -1)), ElementsAre(0, 10, 1, 11, 2, 12, 3, 13));
  EXPECT_EQ(stack({full({}, 1.0), full({}, 2.0)}).shape(), (Dims{2}));
  EXPECT_THAT(values(repeat(tensor({1, 2}), {2, 2})), ElementsAre(1, 2, 1, 2, 1, 2, 1, 2));
  EXPECT_EQ(repeat(x, {0, 1}).shape(), (Dims{0, 2}));
  EXPECT_THAT(values(sum_to(ones({4, 2, 3}), {2, 1})), ElementsAre(12, 12));
  EXPECT_THAT(values(as_strided_scatter_add({3}, tensor({1., 2., 4.}), {0}, 1)),
              ElementsAre(0, 7, 0));
  EXPECT_THAT(thrown([&] { cat({x, zeros({3})}); }), HasSubstr("[cat] shapes [2, 2] and [3]"));
  EXPECT_THAT(thrown([&] {
                cat({x, zeros({3, 3})});
              }),
              HasSubstr("[cat] shapes [2, 2] and [3, 3] do not go together along dimension 0"));
  EXPECT_THAT(thrown([&] { cat(std::vector<Tensor>{}); }), HasSubstr("[cat]"));
  EXPECT_THAT(thrown([&] { cat({full({}, 1.0)}); }), HasSubstr("[cat]"));
  EXPECT_THAT(thrown([&] { stack({x, zeros({3})}); }), HasSubstr("[stack]"));
  EXPECT_THAT(thrown([&] { repeat(x, {2}); }), HasSubstr("[repeat]"));
  EXPECT_THAT(thrown([&] { repeat(x, {2, -1}); }), HasSubstr("[repeat]"));
}

TEST(Views, OfHostValuesAreNoViews) {
  const Tensor host = host_tensor<float>({2, 2}, std::vector<float>{1, 2, 3, 4});
  EXPECT_THAT(values(host.t()), ElementsAre(1, 3, 2, 4));
  EXPECT_THAT(values(host.reshape({4})), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(values(host.view({-1})), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(values(host.select(0, 1)), ElementsAre(3, 4));
  EXPECT_THAT(values(host.expand({2, 2, 2})), ElementsAre(1, 2, 3, 4, 1, 2, 3, 4));
  EXPECT_THAT(thrown([&] { host.as_strided({1}, {1}); }), HasSubstr("value of the host"));
}

TEST(Views, ThatShowAnElementTwiceAreNotWrittenTo) {
  const Tensor x = ones({13});
  const auto is_refused = [&](const Dims& shape, const Dims& strides) {
    const Tensor view = as_strided(x, shape, strides, 0);
    return thrown([&] { view.mul_(2); }).find("more than once") != std::string::npos;
  };
  EXPECT_TRUE(is_refused({2, 3}, {1, 1}));
  EXPECT_TRUE(is_refused({4, 3}, {2, 3}));
  EXPECT_TRUE(is_refused({5}, {0}));
  EXPECT_EQ(x.sum().item(), 13) << "as it was";
  as_strided(x, {2, 3}, {3, 2}, 0).mul_(2);  // 0 2 4 and 3 5 7
  EXPECT_EQ(x.sum().item(), 19);
}

/// Plugins have room for 32, however a tensor comes to have more.
TEST(Views, HaveAsManyDimensionsAsATensorMayHave) {
  const Dims most = Dims::filled(32, 1), more = Dims::filled(33, 1);
  const Tensor x = tensor({2.0F});
  EXPECT_EQ(neg(x.reshape(most)).sum().item(), -2);
  EXPECT_EQ(x.reshape(most).shape(), most);
  EXPECT_THAT(thrown([&] { reshape(x, more); }), HasSubstr("32"));
  EXPECT_THAT(thrown([&] { expand(x, more); }), HasSubstr("32"));
  EXPECT_THAT(thrown([&] { unsqueeze(x.reshape(most), 0); }), HasSubstr("32"));
  EXPECT_THAT(thrown([&] { as_strided(x, more, more, 0); }), HasSubstr("32"));
  EXPECT_THAT(thrown([&] { neg(tensor(std::vector<float>{2}, more)); }), HasSubstr("32"));
  EXPECT_THAT(thrown([&] { zeros(more); }), HasSubstr("32"));
  EXPECT_THAT(thrown([&] { Tensor::borrow(std::span<const float>(), more); }), HasSubstr("32"));
}

}  // namespace
}  // namespace switchyard

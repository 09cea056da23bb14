// Every function that gives a view, of every kind of base: a write through the view is seen in the
// base, and gradients go to the elements that it shows.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <switchyard/autograd.hpp>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

namespace switchyard {
namespace {

using View = std::function<Tensor(const Tensor&)>;

struct Named {
  const char* name;
  View view;
};

/// Of a tensor of 4 x 4 or of 4 x 4 in the middle of something else.
const Named kBases[] = {
    {"contiguous", [](const Tensor& x) { return x; }},
    {"transposed", [](const Tensor& x) { return x.t(); }},
    {"columns", [](const Tensor& x) { return x.narrow(1, 1, 3); }},
    {"every other row", [](const Tensor& x) { return slice(x, 0, 0, 4, 2); }},
    {"a column of columns", [](const Tensor& x) { return slice(x.t(), 0, 1, 4, 2).t(); }},
    {"a view of a view", [](const Tensor& x) { return x.narrow(0, 1, 3).t().narrow(0, 1, 2); }},
    {"expanded",
     [](const Tensor& x) {
       return x.select(0, 1).unsqueeze(0).expand({4, 4});
     }},
    {"a row", [](const Tensor& x) { return x.narrow(0, 2, 1); }},
    {"its diagonal as a column", [](const Tensor& x) { return diagonal(x).unsqueeze(1); }},
    {"strided by hand",
     [](const Tensor& x) {
       return x.as_strided({2, 3}, {8, 2}, 1);
     }},
    {"nothing", [](const Tensor& x) { return x.narrow(0, 1, 0); }},
};

const Named kViews[] = {
    {"reshape",
     [](const Tensor& x) {
       return reshape(x, {x.size(1), x.size(0)});
     }},
    {"flatten", [](const Tensor& x) { return flatten(x); }},
    {"unflatten",
     [](const Tensor& x) {
       return unflatten(x, 1, {1, x.size(1)});
     }},
    {"transpose", [](const Tensor& x) { return transpose(x, 0, 1); }},
    {"permute",
     [](const Tensor& x) {
       return permute(x, {1, 0});
     }},
    {"movedim", [](const Tensor& x) { return movedim(x, 1, 0); }},
    {"squeeze", [](const Tensor& x) { return squeeze(x); }},
    {"squeeze of one", [](const Tensor& x) { return squeeze(x, 0); }},
    {"unsqueeze", [](const Tensor& x) { return unsqueeze(x, 1); }},
    {"expand",
     [](const Tensor& x) {
       return expand(x, {1, -1, -1});
     }},
    {"expand to more",
     [](const Tensor& x) {
       return expand(x, {2, -1, -1});
     }},
    {"broadcast_to",
     [](const Tensor& x) {
       return broadcast_to(x, {1, 1, x.size(0), x.size(1)});
     }},
    {"select", [](const Tensor& x) { return select(x, 1, -1); }},
    {"narrow", [](const Tensor& x) { return narrow(x, 1, 0, 1); }},
    {"slice", [](const Tensor& x) { return slice(x, 0, 0, x.size(0), 2); }},
    {"as_strided", [](const Tensor& x) { return as_strided(x, {x.size() == 0 ? 0 : 1}, {1}); }},
    {"diagonal", [](const Tensor& x) { return diagonal(x); }},
    {"diagonal above", [](const Tensor& x) { return diagonal(x, 1); }},
    {"diagonal below", [](const Tensor& x) { return diagonal(x, -1, 1, 0); }},
    {"split", [](const Tensor& x) { return split(x, 1, 1).back(); }},
    {"chunk", [](const Tensor& x) { return chunk(x, 2, 1)[0]; }},
    {"unbind", [](const Tensor& x) { return unbind(x, 1)[0]; }},
    {"index",
     [](const Tensor& x) {
       return Tensor(x[{Ellipsis(), 0}]);
     }},
    {"index of slices",
     [](const Tensor& x) {
       return Tensor(x[{Slice(), Slice({}, {}, 2), NewAxis()}]);
     }},
    {"view of a diagonal", [](const Tensor& x) { return diagonal(x).unsqueeze(0); }},
};

/// These copy where the strides allow no view, as their names say.
bool may_copy(const std::string& name) { return name == "reshape" || name == "flatten"; }

constexpr std::int64_t kElements = 16;

std::vector<double> detached_values(const Tensor& x) { return x.detach().to_vector<double>(); }

/// The gradients of a leaf and of what was written; of a leaf all of whose elements were written
/// over there is none.
std::vector<Tensor> gradients(const Tensor& loss, const Tensor& leaf, const Tensor& written) {
  std::vector<Tensor> found = grad(std::vector<Tensor>{loss}, std::vector<Tensor>{leaf, written},
                                   {.allow_unused = true, .retain_graph = true});
  if (!found[0].defined()) found[0] = zeros_like(leaf.detach());
  return found;
}

Tensor numbered(const Dims& shape, double first) {
  return add(arange(0, element_count(shape), 1, {.dtype = DType::float64}), first).reshape(shape);
}

/// Which elements of the root a view shows, in its own order.
std::vector<std::size_t> positions(const View& base, const View& view) {
  std::vector<std::size_t> found;
  for (const double at : detached_values(view(base(numbered({4, 4}, 0))))) {
    found.push_back(static_cast<std::size_t>(at));
  }
  return found;
}

bool are_apart(const std::vector<std::size_t>& at) {
  return std::set<std::size_t>(at.begin(), at.end()).size() == at.size();
}

/// What `f` gives in `dL/dx` for L = sum(x[at[i]] * factors[i]).
std::vector<double> gathered(const std::vector<std::size_t>& at,
                             const std::vector<double>& factors) {
  std::vector<double> sums(kElements, 0.0);
  for (std::size_t i = 0; i < at.size(); ++i) sums[at[i]] += factors[i];
  return sums;
}

class EveryView : public testing::TestWithParam<std::tuple<std::size_t, std::size_t>> {
 protected:
  const Named& base = kBases[std::get<0>(GetParam())];
  const Named& view = kViews[std::get<1>(GetParam())];
  const std::vector<std::size_t> at = positions(base.view, view.view);
  const std::string text = std::string(view.name) + " of " + base.name;
};

TEST_P(EveryView, ShowTheElementsOfTheirBase) {
  SCOPED_TRACE(text);
  if (!are_apart(at)) return;
  const NoGrad off;
  const Tensor root = numbered({4, 4}, 100);
  const Tensor shown = view.view(base.view(root));
  const std::vector<double> before = detached_values(root),
                            more = detached_values(shown.add_(1000));
  std::vector<double> expected = before;
  for (std::size_t i = 0; i < at.size(); ++i) expected[at[i]] = more[i];
  if (may_copy(view.name) && detached_values(root) == before) return;
  EXPECT_EQ(detached_values(root), expected);
}

TEST_P(EveryView, HaveTheGradientOfTheElements) {
  SCOPED_TRACE(text);
  const Tensor leaf = numbered({4, 4}, 1).requires_grad_();
  const Tensor shown = view.view(base.view(leaf * 1));
  const Tensor factors = numbered(shown.shape(), 3);
  const Tensor loss = sum(shown * factors);
  EXPECT_EQ(detached_values(grad(loss, leaf, {.allow_unused = true})),
            gathered(at, detached_values(factors)));
}

TEST_P(EveryView, CarryAWriteAndItsGradientToTheBase) {
  SCOPED_TRACE(text);
  const Tensor leaf = numbered({4, 4}, 1).requires_grad_();
  const Tensor root = leaf * 1;
  const Tensor shown = view.view(base.view(root));
  const Tensor written = numbered(shown.shape(), 50).requires_grad_();
  if (!are_apart(at)) {
    if (!may_copy(view.name)) {
      EXPECT_THROW(shown.copy_(written), Error);
    }
    return;
  }
  const std::vector<double> before = detached_values(root);
  shown.copy_(written);
  if (may_copy(view.name) && detached_values(root) == before) return;
  std::vector<double> expected = before;
  for (std::size_t i = 0; i < at.size(); ++i) expected[at[i]] = detached_values(written)[i];
  EXPECT_EQ(detached_values(root), expected);

  const Tensor weights = numbered({4, 4}, 7);
  const std::vector<double> weight = detached_values(weights);
  std::vector<double> of_leaf = weight, of_written;
  for (const std::size_t position : at) {
    of_leaf[position] = 0;
    of_written.push_back(weight[position]);
  }
  const std::vector<Tensor> through_root = gradients(sum(root * weights), leaf, written);
  EXPECT_EQ(detached_values(through_root[0]), of_leaf);
  EXPECT_EQ(detached_values(through_root[1]), of_written);
  const std::vector<Tensor> through_view = gradients(sum(shown * shown), leaf, written);
  EXPECT_EQ(detached_values(through_view[0]), std::vector<double>(kElements, 0.0));
  EXPECT_EQ(detached_values(through_view[1]), detached_values(written.detach() * 2));
}

/// A base of which no step is known: a tensor that shows part of a storage, with gaps or twice.
TEST_P(EveryView, CarryAWriteToABaseWithAnyStrides) {
  SCOPED_TRACE(text);
  if (!are_apart(at)) return;
  const Tensor root = numbered({4, 4}, 1);
  const Tensor owner = base.view(root).detach();  // a base of its own, with these strides
  const Tensor shown = view.view(owner);
  const Tensor written = numbered(shown.shape(), 50).requires_grad_();
  const std::vector<double> before = detached_values(root);
  shown.copy_(written);
  if (may_copy(view.name) && detached_values(root) == before) return;
  // Of each element of the owner that was written over, the gradient is 1.
  std::vector<double> counts;
  const std::vector<std::size_t> of_owner = positions(base.view, [](const Tensor& x) { return x; });
  for (const std::size_t position : at) {
    counts.push_back(static_cast<double>(std::count(of_owner.begin(), of_owner.end(), position)));
  }
  EXPECT_EQ(detached_values(grad(sum(owner), written, {.allow_unused = true})), counts);
}

INSTANTIATE_TEST_SUITE_P(All, EveryView,
                         testing::Combine(testing::Range(std::size_t{0}, std::size(kBases)),
                                          testing::Range(std::size_t{0}, std::size(kViews))));

TEST(Diagonal, IsNoCopyWhereGradientsAreOn) {
  const Tensor leaf = ones({3, 3}).requires_grad_();
  const Tensor x = leaf * 1;
  diagonal(x.t()).zero_();
  EXPECT_EQ(x.sum().item(), 6);
  const Tensor y = ones({4, 2}).requires_grad_() * 1;
  diagonal(slice(y, 0, 0, 4, 2)).fill_(5);
  EXPECT_EQ(y.sum().item(), 16);
}

TEST(Diagonal, HasASecondGradient) {
  const Tensor x = tensor({{1., 2.}, {3., 4.}}, {.dtype = DType::float64}).requires_grad_();
  const Tensor once = grad(sum(pow(diagonal(x.t(), 0), 3)), x, {.create_graph = true});
  EXPECT_EQ(detached_values(grad(once.sum(), x)), (std::vector<double>{6, 0, 0, 24}));
}

// As a view it requires no gradient: writing through it would lose that of its base.
TEST(ViewMadeUnderNoGrad, IsNotWrittenToWhereItsBaseRequiresAGradient) {
  const TensorOptions doubles{.dtype = DType::float64};
  const Tensor leaf = zeros({2}, doubles).requires_grad_();
  const Tensor w = ones({2}, doubles).requires_grad_();
  const Tensor made = leaf * 1, plain = zeros({2}, doubles);
  Tensor of_leaf, of_made, of_plain;
  {
    const NoGrad off;
    of_leaf = leaf.view({2}).view({1, 2});
    of_made = diagonal(made.view({1, 2}));
    of_plain = plain.view({2, 1});
    made.add_(1);
  }
  EXPECT_FALSE(of_leaf.requires_grad());
  EXPECT_FALSE(of_made.requires_grad());
  for (const Tensor& view : {of_leaf, of_made}) {
    try {
      view.add_(1);
      ADD_FAILURE() << "written";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("made under NoGrad"), std::string::npos);
    }
    const NoGrad off;
    view.add_(1);
  }
  of_plain.add_(w.unsqueeze(1));
  EXPECT_EQ(detached_values(grad(made.sum() + plain.sum(), w)), (std::vector<double>{1, 1}));
}

}  // namespace
}  // namespace switchyard

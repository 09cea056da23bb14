// How far vectors lie apart, and losses that are made of it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "error/called_function.hpp"
#include "functions/calls/promotion.hpp"
#include "functions/calls/require.hpp"
#include "functions/neural/reduced_loss.hpp"
#include "types/describe.hpp"

namespace switchyard {
namespace {

/// max(x, 0) whose derivative at 0 is 1, where that of relu is 0: two equal scores with a
/// margin of 0 are to part.
Tensor above_zero(const Tensor& x) { return clamp(x, 0); }

}  // namespace

Tensor normalize(const Tensor& x, Real p, Dim dim, Real eps) {
  const CalledFunction here;
  require_floating("normalize", x);
  const Tensor length = norm(x, p, {normalize_axis("normalize", dim, x.dim())}, true);
  const DType dtype = result_type(x, length);
  // float16 would round eps to 0.
  return as_dtype(div(x, clamp(as_dtype(length, wide_type(dtype)), double{eps})), dtype);
}

Tensor cosine_similarity(const Tensor& a, const Tensor& b, Dim dim, Real eps) {
  const CalledFunction here;
  const std::int64_t rank = std::max(a.dim(), b.dim());
  const std::int64_t from_end = normalize_axis("cosine_similarity", dim, rank) - rank;
  const Tensor left = normalize(a, 2, from_end, eps), right = normalize(b, 2, from_end, eps);
  if (left.size(from_end) != right.size(from_end)) {
    throw Error(ErrorKind::shape_mismatch,
                fmt::format("[cosine_similarity] vectors along dimension {} of {} and {} are not "
                            "of one length",
                            dim, describe(a.shape()), describe(b.shape())));
  }
  return sum(mul(left, right), from_end);
}

Tensor pairwise_distance(const Tensor& a, const Tensor& b, Real p, Real eps, Flag keepdim) {
  const CalledFunction here;
  require_floating("pairwise_distance", a);
  return norm(add(sub(a, b), double{eps}), p, -1, keepdim);
}

Tensor cdist(const Tensor& a, const Tensor& b, Real p) {
  const CalledFunction here;
  for (const Tensor& rows : {a, b}) {
    require_floating("cdist", rows);
    require_rank("cdist", rows, 2, 64);
  }
  require_within("cdist", "p", p, 0, INFINITY);
  const std::int64_t size = a.size(-1);
  if (b.size(-1) != size) {
    throw Error(ErrorKind::shape_mismatch,
                fmt::format("[cdist] the rows of {} and {} are not of one length",
                            describe(a.shape()), describe(b.shape())));
  }
  const Tensor apart = sub(unsqueeze(a, -2), unsqueeze(b, -3));
  // There is no largest one of none.
  return size == 0 ? sum(apart, -1) : norm(apart, p, -1);
}

Tensor margin_ranking_loss(const Tensor& a, const Tensor& b, const Tensor& target, Real margin,
                           Reduction reduction) {
  const CalledFunction here;
  require_floating("margin_ranking_loss", a);
  return reduced_loss(above_zero(sub(double{margin}, mul(target, sub(a, b)))), reduction);
}

Tensor cosine_embedding_loss(const Tensor& a, const Tensor& b, const Tensor& target, Real margin,
                             Reduction reduction) {
  const CalledFunction here;
  require_rank("cosine_embedding_loss", a, 1, 2);
  const Tensor cosine = cosine_similarity(a, b, -1);
  if (!target.defined() || target.shape() != cosine.shape()) {
    throw Error(ErrorKind::shape_mismatch,
                fmt::format("[cosine_embedding_loss] the target {} must have one number for each "
                            "pair: shape {}",
                            target.defined() ? describe(target.shape()) : "none",
                            describe(cosine.shape())));
  }
  const Tensor alike = sub(1, cosine), unlike = above_zero(sub(cosine, double{margin}));
  const Tensor losses = where(eq(target, 1), alike, where(eq(target, -1), unlike, 0));
  return reduced_loss(losses, reduction);
}

Tensor triplet_margin_loss(const Tensor& anchor, const Tensor& positive, const Tensor& negative,
                           const TripletMarginOptions& options) {
  const CalledFunction here;
  const auto distance = [&](const Tensor& a, const Tensor& b) {
    return pairwise_distance(a, b, options.p, options.eps);
  };
  Tensor far = distance(anchor, negative);
  if (options.swap) far = minimum(far, distance(positive, negative));
  return reduced_loss(above_zero(add(sub(distance(anchor, positive), far), options.margin)),
                      options.reduction);
}

}  // namespace switchyard

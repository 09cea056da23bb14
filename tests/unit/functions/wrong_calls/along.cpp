#include "functions/wrong_calls/wrong_calls.hpp"

#include <utility>

namespace switchyard {

namespace {

/// What takes a tensor and a dimension.
using Along = std::function<void(const Tensor&, std::int64_t)>;
const std::pair<const char*, Along> kAlong[] = {
    {"prod", [](const Tensor& x, std::int64_t dim) { prod(x, dim); }},
    {"sum", [](const Tensor& x, std::int64_t dim) { sum(x, {dim}); }},
    {"mean", [](const Tensor& x, std::int64_t dim) { mean(x, {dim}); }},
    {"var", [](const Tensor& x, std::int64_t dim) { var(x, {dim}); }},
    {"std", [](const Tensor& x, std::int64_t dim) { switchyard::std(x, {dim}); }},
    {"logsumexp", [](const Tensor& x, std::int64_t dim) { logsumexp(x, {dim}); }},
    {"norm", [](const Tensor& x, std::int64_t dim) { norm(x, 2, {dim}); }},
    {"amax", [](const Tensor& x, std::int64_t dim) { amax(x, {dim}); }},
    {"amin", [](const Tensor& x, std::int64_t dim) { amin(x, {dim}); }},
    {"max", [](const Tensor& x, std::int64_t dim) { max(x, dim); }},
    {"min", [](const Tensor& x, std::int64_t dim) { min(x, dim); }},
    {"argmax", [](const Tensor& x, std::int64_t dim) { argmax(x, dim); }},
    {"argmin", [](const Tensor& x, std::int64_t dim) { argmin(x, dim); }},
    {"any", [](const Tensor& x, std::int64_t dim) { any(x, dim); }},
    {"all", [](const Tensor& x, std::int64_t dim) { all(x, dim); }},
    {"cumsum", [](const Tensor& x, std::int64_t dim) { cumsum(x, dim); }},
    {"cumprod", [](const Tensor& x, std::int64_t dim) { cumprod(x, dim); }},
    {"cummax", [](const Tensor& x, std::int64_t dim) { cummax(x, dim); }},
    {"cummin", [](const Tensor& x, std::int64_t dim) { cummin(x, dim); }},
    {"logcumsumexp", [](const Tensor& x, std::int64_t dim) { logcumsumexp(x, dim); }},
    {"diff", [](const Tensor& x, std::int64_t dim) { diff(x, 1, dim); }},
    {"median", [](const Tensor& x, std::int64_t dim) { median(x, dim); }},
    {"nanmedian", [](const Tensor& x, std::int64_t dim) { nanmedian(x, dim); }},
    {"quantile", [](const Tensor& x, std::int64_t dim) { quantile(x, 0.5, dim); }},
    {"nanquantile", [](const Tensor& x, std::int64_t dim) { nanquantile(x, 0.5, dim); }},
    {"unique", [](const Tensor& x, std::int64_t dim) { unique(x, {.dim = dim}); }},
    {"unique_consecutive",
     [](const Tensor& x, std::int64_t dim) { unique_consecutive(x, {.dim = dim}); }},
    {"softmax", [](const Tensor& x, std::int64_t dim) { softmax(x, dim); }},
    {"gumbel_softmax", [](const Tensor& x, std::int64_t dim) { gumbel_softmax(x, {.dim = dim}); }},
    {"log_softmax", [](const Tensor& x, std::int64_t dim) { log_softmax(x, dim); }},
    {"topk", [](const Tensor& x, std::int64_t dim) { topk(x, 1, dim); }},
    {"sort", [](const Tensor& x, std::int64_t dim) { sort(x, dim); }},
    {"argsort", [](const Tensor& x, std::int64_t dim) { argsort(x, dim); }},
    {"transpose", [](const Tensor& x, std::int64_t dim) { transpose(x, dim, 0); }},
    {"movedim", [](const Tensor& x, std::int64_t dim) { movedim(x, dim, 0); }},
    {"squeeze", [](const Tensor& x, std::int64_t dim) { squeeze(x, dim); }},
    {"select", [](const Tensor& x, std::int64_t dim) { select(x, dim, 0); }},
    {"narrow", [](const Tensor& x, std::int64_t dim) { narrow(x, dim, 0, 1); }},
    {"slice", [](const Tensor& x, std::int64_t dim) { slice(x, dim, 0, 1); }},
    {"split", [](const Tensor& x, std::int64_t dim) { split(x, 1, dim); }},
    {"chunk", [](const Tensor& x, std::int64_t dim) { chunk(x, 2, dim); }},
    {"unbind", [](const Tensor& x, std::int64_t dim) { unbind(x, dim); }},
    {"flatten", [](const Tensor& x, std::int64_t dim) { flatten(x, 0, dim); }},
    {"unflatten", [](const Tensor& x, std::int64_t dim) { unflatten(x, dim, {1, -1}); }},
    {"flip", [](const Tensor& x, std::int64_t dim) { flip(x, {dim}); }},
    {"roll", [](const Tensor& x, std::int64_t dim) { roll(x, 1, dim); }},
    {"diagonal", [](const Tensor& x, std::int64_t dim) { diagonal(x, 0, 0, dim); }},
    {"index_select", [](const Tensor& x, std::int64_t dim) { index_select(x, dim, positions()); }},
    {"gather", [](const Tensor& x, std::int64_t dim) { gather(x, dim, positions()); }},
    {"scatter", [](const Tensor& x, std::int64_t dim) { scatter(x, dim, positions(), 1); }},
    {"scatter_add",
     [](const Tensor& x, std::int64_t dim) { scatter_add(x, dim, positions(), floats()); }},
    {"index_add",
     [](const Tensor& x, std::int64_t dim) { index_add(x, dim, positions(), floats()); }},
    {"take_along_dim",
     [](const Tensor& x, std::int64_t dim) { take_along_dim(x, positions().view({1, 2}), dim); }},
    {"scatter_reduce",
     [](const Tensor& x,
        std::int64_t
            dim) { scatter_reduce(x, dim, positions(), floats(), ScatterReduction::amax); }},
    {"repeat_interleave", [](const Tensor& x, std::int64_t dim) { repeat_interleave(x, 2, dim); }},
    {"cat", [](const Tensor& x, std::int64_t dim) { cat({x, x}, dim); }},
    {"stack", [](const Tensor& x, std::int64_t dim) { stack({x, x}, dim + (dim < 0 ? -1 : 1)); }},
    {"normalize", [](const Tensor& x, std::int64_t dim) { normalize(x, 2, dim); }},
    {"cosine_similarity", [](const Tensor& x, std::int64_t dim) { cosine_similarity(x, x, dim); }}};

}  // namespace

Calls wrong_calls_along() {
  Calls all;
  for (const auto& [name, call] : kAlong) {
    all.push_back({name, [f = call] { f(none(), 0); }});
    all.push_back({name, [f = call] { f(floats(), 2); }});
    all.push_back({name, [f = call] { f(floats(), -3); }});
  }
  return all;
}

}  // namespace switchyard

#include "functions/indexing/index_picks.hpp"

#include <algorithm>
#include <numeric>
#include <switchyard/functions.hpp>

#include "functions/calls/call.hpp"
#include "functions/calls/numbers.hpp"
#include "functions/indexing/index_tensor.hpp"
#include "tensor/tensor_impl.hpp"

namespace switchyard {
namespace {

constinit const EagerOp kGatherPicked("Gather"), kGatherND("GatherND"),
    kScatterNDPicked("ScatterND"), kCompressPicked("Compress");

std::size_t position(std::int64_t dim) { return static_cast<std::size_t>(dim); }

bool is_mask(const Pick& pick) { return pick.tensor.dtype() == DType::bool_; }

/// Masks as the indices of their true elements, a tensor for each dimension.
std::vector<Pick> as_indices(const std::vector<Pick>& picks) {
  std::vector<Pick> result;
  for (const Pick& pick : picks) {
    if (!is_mask(pick)) {
      result.push_back({as_dtype(pick.tensor, DType::int64), pick.dim, pick.from});
      continue;
    }
    const Tensor positions = nonzero(pick.tensor);
    for (std::int64_t d = 0; d < pick.tensor.dim(); ++d) {
      result.push_back({select(positions, 1, d), pick.dim + d, pick.from + d});
    }
  }
  return result;
}

/// The view with the picking dimensions in front, and tuples of indices into these.
struct Tuples {
  explicit Tuples(const Picks& found) : picks(as_indices(found.picks)) {
    Dims order;
    for (const Pick& pick : picks) {
      chosen = broadcast_shapes("index", chosen, pick.tensor.shape());
      order.push_back(pick.dim);
    }
    std::vector<Tensor> parts;
    for (const Pick& pick : picks) parts.push_back(expand(pick.tensor, chosen));
    indices = stack(parts, -1);
    for (std::int64_t d = 0; d < found.view.dim(); ++d) {
      if (std::find(order.begin(), order.end(), d) == order.end()) order.push_back(d);
    }
    Dims usual = Dims::filled(order.size(), 0);
    std::iota(usual.begin(), usual.end(), 0);
    turned = order == usual ? found.view : permute(found.view, order);
    const auto count = static_cast<std::int64_t>(picks.size());
    const bool neighbours = picks.back().dim - picks.front().dim + 1 == count;
    before = neighbours ? picks.front().dim : 0;
  }

  void check() const {
    for (std::size_t d = 0; d < picks.size(); ++d) {
      require_inside("index", picks[d].tensor, picks[d].from, turned.shape()[d],
                     CountsFrom::either_end);
    }
  }

  /// The chosen dimensions come behind the first `before` of those that are left.
  Tensor placed(const Tensor& gathered) const {
    if (before == 0) return gathered;
    const auto moved = static_cast<std::int64_t>(chosen.size());
    Dims order = Dims::filled(gathered.shape().size(), 0);
    for (std::int64_t d = 0; d < gathered.dim(); ++d) {
      order[position(d)] = d < before ? d + moved : d < before + moved ? d - before : d;
    }
    return permute(gathered, order);
  }
  Tensor unplaced(const Tensor& value) const {
    if (before == 0) return value;
    const auto moved = static_cast<std::int64_t>(chosen.size());
    Dims order = Dims::filled(value.shape().size(), 0);
    for (std::int64_t d = 0; d < value.dim(); ++d) {
      order[position(d)] = d < moved ? d + before : d < moved + before ? d - moved : d;
    }
    return permute(value, order);
  }
  Dims placed_shape() const {
    Dims shape;
    const std::size_t count = picks.size();
    for (std::size_t d = count; d < count + position(before); ++d)
      shape.push_back(turned.shape()[d]);
    for (const std::int64_t extent : chosen) shape.push_back(extent);
    for (std::size_t d = count + position(before); d < turned.shape().size(); ++d) {
      shape.push_back(turned.shape()[d]);
    }
    return shape;
  }

  std::vector<Pick> picks;
  Dims chosen;  // what the tensors of indices broadcast to
  Tensor indices, turned;
  std::int64_t before = 0;
};

/// The dimensions that the mask covers as one, of which it keeps some.
Tensor read_mask(const Tensor& view, const Pick& pick) {
  Dims shape;
  for (std::int64_t d = 0; d < view.dim(); ++d) {
    const bool covered = d >= pick.dim && d < pick.dim + pick.tensor.dim();
    if (d == pick.dim) shape.push_back(pick.tensor.size());
    if (!covered) shape.push_back(view.shape()[position(d)]);
  }
  return kCompressPicked({reshape(view, shape), reshape(pick.tensor, {-1})},
                         attributes({{"axis", pick.dim}}));
}

Tensor read_along(const Tensor& view, const Pick& pick) {
  return call_or_explain(
      [&] {
        return kGatherPicked({view, pick.tensor}, attributes({{"axis", pick.dim}}));
      },
      [&] {
        require_inside("index", pick.tensor, pick.from, view.shape()[position(pick.dim)],
                       CountsFrom::either_end);
      });
}

bool shares_elements(const Tensor& a, const Tensor& b) {
  return TensorRef(a.impl()).may_overlap(TensorRef(b.impl()));
}

/// One value wherever the mask is true: without counting where that is.
void fill_mask(const Tensor& view, const Pick& pick, const Tensor& value) {
  Dims shape = pick.tensor.shape();
  shape.resize(view.shape().size() - position(pick.dim), 1);
  view.copy_(where(reshape(pick.tensor, shape), value, view));
}

}  // namespace

Tensor read(const Picks& found) {
  if (found.picks.size() == 1) {
    const Pick& only = found.picks.front();
    return is_mask(only) ? read_mask(found.view, only) : read_along(found.view, only);
  }
  const Tuples tuples(found);
  return tuples.placed(call_or_explain(
      [&] {
        return kGatherND({tuples.turned, tuples.indices});
      },
      [&] { tuples.check(); }));
}

void write(const Picks& found, bool is_one, const std::function<Tensor(const Dims&)>& fit) {
  if (is_one && found.picks.size() == 1 && is_mask(found.picks.front())) {
    return fill_mask(found.view, found.picks.front(), fit({}));
  }
  const Tuples tuples(found);
  Tensor updates = tuples.unplaced(fit(tuples.placed_shape()));
  if (shares_elements(updates, found.view)) updates = updates.clone();
  call_or_explain(
      [&] {
        kScatterNDPicked.write_to(tuples.turned, {tuples.turned, tuples.indices, updates});
        return tuples.turned;
      },
      [&] { tuples.check(); });
}

}  // namespace switchyard

// Gradients of scattering that joins what meets in one place: as the reduction of a table that has
// for each position what was there, and the updates that it gets.
#include "gradients/rules/scatter_reduction.hpp"

#include <limits>
#include <switchyard/functions.hpp>

#include "functions/calls/call.hpp"
#include "functions/calls/options_like.hpp"
#include "functions/indexing/indexed_elements.hpp"
#include "gradients/rules/composite_gradient.hpp"
#include "tensor/host_tensor.hpp"

namespace switchyard {
namespace {

using In = std::span<const Tensor>;

constinit const EagerOp kGatherNumbers("GatherND");

/// What joins nothing to a position.
double neutral(std::string_view reduction) {
  if (reduction == "mul") return 1;
  const double most = std::numeric_limits<double>::infinity();
  return reduction == "max" ? -most : most;
}

/// Row by row for each position, which updates it gets; `none` fills what is left of the rows.
Tensor updates_by_position(const std::vector<std::int64_t>& owners, std::int64_t positions,
                           std::int64_t none) {
  std::vector<std::vector<std::int64_t>> found(static_cast<std::size_t>(positions));
  std::size_t most = 0;
  for (std::size_t update = 0; update < owners.size(); ++update) {
    std::vector<std::int64_t>& here = found[static_cast<std::size_t>(owners[update])];
    here.push_back(static_cast<std::int64_t>(update));
    most = std::max(most, here.size());
  }
  std::vector<std::int64_t> table;
  for (std::vector<std::int64_t>& here : found) {
    here.resize(most, none);
    table.insert(table.end(), here.begin(), here.end());
  }
  return host_tensor({positions, static_cast<std::int64_t>(most)}, table);
}

/// `owners` has the shape of the updates and tells of each which element of `x` it meets.
std::vector<Tensor> joined(const Backward& step, const Tensor& given, const Tensor& owners,
                           const Tensor& update) {
  if (owners.size() == 0) return {given};
  const std::string_view reduction = step.attributes().get_text("reduction", "none");
  const Tensor x = widened(given), updates = reshape(widened(update), {-1});
  const Tensor table =
      updates_by_position(owners.contiguous().to_vector<std::int64_t>(), x.size(), updates.size());
  const Tensor all = cat({updates, updates.detach().new_full({1}, neutral(reduction))});
  const Tensor met = reshape(select_slices(all, 0, reshape(table, {-1})), table.shape());
  const Tensor rows = cat({reshape(x, {-1, 1}), met}, 1);
  const Tensor made = reduction == "mul"   ? prod(rows, 1)
                      : reduction == "max" ? amax(rows, {1})
                                           : amin(rows, {1});
  return {reshape(made, given.shape()).to(given.dtype())};
}

/// 0, 1, ... in the shape of `x`.
Tensor numbered(const Tensor& x) {
  TensorOptions options = options_like(x);
  options.dtype = DType::int64;
  return reshape(arange(x.size(), options), x.shape());
}

std::vector<Tensor> scatter_reduction(const Backward& step, In in) {
  const Tensor numbers = numbered(in[0].detach());
  std::int64_t axis = step.attributes().get_int("axis", 0);
  if (axis < 0) axis += numbers.dim();
  return joined(step, in[0], gather_elements(numbers, axis, in[1]), in[2]);
}

std::vector<Tensor> scatter_reduction_nd(const Backward& step, In in) {
  return joined(step, in[0], kGatherNumbers({numbered(in[0].detach()), in[1]}), in[2]);
}

constexpr RuleRow kElements = {"ScatterElements", composite_gradient<scatter_reduction>, kAll};
constexpr RuleRow kTuples = {"ScatterND", composite_gradient<scatter_reduction_nd>, kAll};

bool joins(const Attributes& attributes) {
  const std::string_view reduction = attributes.get_text("reduction", "none");
  return reduction != "none" && reduction != "add";
}

}  // namespace

const RuleRow* scatter_reduction_row(const Attributes& attributes) {
  return joins(attributes) ? &kElements : nullptr;
}

const RuleRow* scatter_reduction_nd_row(const Attributes& attributes) {
  return joins(attributes) ? &kTuples : nullptr;
}

}  // namespace switchyard

// Writing elements, and adding to them, at positions that tensors name.
#include <fmt/format.h>

#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "device/open_device.hpp"
#include "error/called_function.hpp"
#include "functions/calls/call.hpp"
#include "functions/calls/numbers.hpp"
#include "functions/calls/require.hpp"
#include "functions/creation/new_tensor.hpp"
#include "functions/indexing/index_tensor.hpp"
#include "functions/indexing/indexed_elements.hpp"
#include "functions/indexing/scattered.hpp"
#include "routing/call_facts.hpp"
#include "tensor/tensor_impl.hpp"
#include "types/describe.hpp"

namespace switchyard {
namespace {

constinit const EagerOp kScatterElements("ScatterElements"), kScatterND("ScatterND");

/// The part of `source` that the index says where to write, as the dtype of `x`.
Tensor written(std::string_view function, const Tensor& x, std::int64_t dim, const Tensor& index,
               const Tensor& source) {
  if (is_number(source)) {
    return expand(beside(x, as_element(function, source, x.dtype()), x.dtype()), index.shape());
  }
  bool fits = index.dim() == x.dim() && source.dim() == x.dim() && source.dtype() == x.dtype();
  for (std::int64_t d = 0; fits && d < x.dim(); ++d) {
    fits = extent(index, d) <= extent(source, d) && (d == dim || extent(index, d) <= extent(x, d));
  }
  if (!fits) {
    throw Error(
        source.dtype() == x.dtype() ? ErrorKind::shape_mismatch : ErrorKind::invalid_argument,
        fmt::format("[{}] the index has shape {}, the source is {}, the tensor {}: dtypes "
                    "and ranks must be equal, no extent of the index larger than that of "
                    "the source, nor, but in dimension {}, than that of the tensor",
                    function, describe(index.shape()), describe(source.dtype(), source.shape()),
                    describe(x.dtype(), x.shape()), dim));
  }
  Tensor part = source;
  for (std::int64_t d = 0; d < x.dim(); ++d) {
    if (extent(index, d) < extent(source, d)) part = narrow(part, d, 0, extent(index, d));
  }
  return part;
}

void require_slices(const Tensor& x, std::int64_t dim, const Tensor& index, const Tensor& source) {
  Dims wanted = x.shape();
  wanted[static_cast<std::size_t>(dim)] = index.size();
  if (source.shape() == wanted && source.dtype() == x.dtype()) return;
  throw Error(source.dtype() == x.dtype() ? ErrorKind::shape_mismatch : ErrorKind::invalid_argument,
              fmt::format("[index_add] {} indices of dimension {} of {} need a source {}, got {}",
                          index.size(), dim, describe(x.dtype(), x.shape()),
                          describe(x.dtype(), wanted), describe(source.dtype(), source.shape())));
}

/// Where each element of such a view lies among those of its base, without dimensions of stride 0.
Tensor positions_of(const Tensor& like, const Dims& shape, const Dims& strides,
                    std::int64_t offset) {
  const TensorImpl& impl = impl_of(like);
  TensorOptions options;
  if (impl.device) options.device = Device(impl.device->shared_from_this());
  Tensor positions = full(Dims::filled(shape.size(), 1), offset, options);
  for (std::size_t d = 0; d < shape.size(); ++d) {
    Dims along = Dims::filled(shape.size(), 1);
    along[d] = shape[d];
    positions = add(positions, reshape(mul(arange(shape[d], options), strides[d]), along));
  }
  return positions;
}

}  // namespace

Tensor scattered(std::string_view function, const Tensor& x, std::int64_t dim, const Tensor& index,
                 const Tensor& source, std::string_view reduction) {
  require_indices(function, index);
  const std::int64_t at = normalize_axis(function, dim, x.dim());
  const auto line = [](const Tensor& tensor) {
    return tensor.dim() == 0 && !is_number(tensor) ? reshape(tensor, {1}) : tensor;
  };
  if (x.dim() == 0) {
    return reshape(scattered(function, line(x), 0, line(index), line(source), reduction), {});
  }
  const Tensor positions = line(index);
  const Tensor part = written(function, x, at, positions, line(source));
  return call_or_explain(
      [&] { return scatter_elements(x, at, counted_from_front(positions), part, reduction); },
      [&] { require_inside(function, index, at, extent(x, at), CountsFrom::front); });
}

Tensor scatter(const Tensor& x, Dim dim, const Tensor& index, const Tensor& source) {
  const CalledFunction here;
  return scattered("scatter", x, dim, index, source, "none");
}

Tensor scatter_add(const Tensor& x, Dim dim, const Tensor& index, const Tensor& source) {
  const CalledFunction here;
  return scattered("scatter_add", x, dim, index, source, "add");
}

Tensor index_add(const Tensor& x, Dim dim, const Tensor& index, const Tensor& source) {
  const CalledFunction here;
  require_indices("index_add", index);
  require_rank("index_add", index, 0, 1);
  const std::int64_t at = normalize_axis("index_add", dim, x.dim());
  if (x.dim() == 0) {
    return reshape(index_add(reshape(x, {1}), 0, index, reshape(source, {1})), {});
  }
  require_slices(x, at, index, source);
  return call_or_explain(
      [&] { return add_slices(x, at, counted_from_front(index), source); },
      [&] { require_inside("index_add", index, at, extent(x, at), CountsFrom::front); });
}

Tensor Tensor::scatter_(Dim dim, const Tensor& index, const Tensor& source) const {
  const CalledFunction here;
  return copy_(scattered("scatter_", *this, dim, index, source, "none"));
}
Tensor Tensor::scatter_add_(Dim dim, const Tensor& index, const Tensor& source) const {
  const CalledFunction here;
  return copy_(scattered("scatter_add_", *this, dim, index, source, "add"));
}
Tensor Tensor::index_add_(Dim dim, const Tensor& index, const Tensor& source) const {
  const CalledFunction here;
  return copy_(switchyard::index_add(*this, dim, index, source));
}

Tensor scatter_elements(const Tensor& x, std::int64_t dim, const Tensor& index,
                        const Tensor& source, std::string_view reduction) {
  return kScatterElements({x, index, source},
                          attributes({{"axis", dim}, {"reduction", std::string(reduction)}}));
}

Tensor add_slices(const Tensor& x, std::int64_t dim, const Tensor& index, const Tensor& source) {
  const Tensor positions = reshape(as_dtype(index, DType::int64), {-1, 1});
  const Tensor added = kScatterND({movedim(x, dim, 0), positions, movedim(source, dim, 0)},
                                  attributes({{"reduction", std::string("add")}}));
  return movedim(added, 0, dim);
}

Tensor as_strided_scatter_add(const Dims& shape, const Tensor& value, const Dims& strides,
                              std::int64_t offset) {
  const bool covers = offset == 0 && value.size() == element_count(shape);
  if (covers && is_contiguous(value.shape(), strides)) return reshape(value, shape);
  // Elements that a view shows many times get the sum.
  Dims repeated, kept, kept_strides;
  for (std::size_t d = 0; d < strides.size(); ++d) {
    if (strides[d] == 0 && value.shape()[d] != 1) {
      repeated.push_back(static_cast<std::int64_t>(d));
    } else {
      kept.push_back(value.shape()[d]);
      kept_strides.push_back(strides[d]);
    }
  }
  const Tensor summed = repeated.empty() ? value : sum(value, repeated);
  const Tensor zeros = value.new_full({element_count(shape)}, 0);
  const Tensor positions = positions_of(value, kept, kept_strides, offset);
  return reshape(add_slices(zeros, 0, reshape(positions, {-1}), reshape(summed, {-1})), shape);
}

}  // namespace switchyard

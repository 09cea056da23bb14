// New tensors from parts of others.
#include <fmt/format.h>

#include <algorithm>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "functions/call.hpp"
#include "functions/numbers.hpp"
#include "functions/require.hpp"
#include "ops/describe.hpp"

namespace switchyard {
namespace {

constinit const ContractOp kConcat("Concat"), kTile("Tile"), kTrilu("Trilu");

Tensor triangle(const Tensor& x, std::int64_t diagonal, bool upper) {
  return kTrilu({x, int64_scalar(diagonal)}, attributes({{"upper", std::int64_t{upper}}}));
}

}  // namespace

Tensor cat(std::span<const Tensor> tensors, std::int64_t dim) {
  if (tensors.empty()) throw Error(ErrorKind::usage, "[cat] needs at least one tensor");
  DType dtype = tensors[0].dtype();
  for (const Tensor& tensor : tensors) dtype = promote(dtype, tensor.dtype());
  std::vector<Tensor> parts;
  for (const Tensor& tensor : tensors) parts.push_back(as_dtype(tensor, dtype));
  const std::int64_t at = wrapped("cat", dim, parts[0].dim());
  return kConcat(parts, attributes({{"axis", at}}));
}
Tensor cat(std::initializer_list<Tensor> tensors, std::int64_t dim) {
  return cat(std::span(tensors.begin(), tensors.size()), dim);
}

Tensor stack(std::span<const Tensor> tensors, std::int64_t dim) {
  if (tensors.empty()) throw Error(ErrorKind::usage, "[stack] needs at least one tensor");
  std::vector<Tensor> parts;
  for (const Tensor& tensor : tensors) {
    if (tensor.shape() != tensors[0].shape()) {
      throw Error(ErrorKind::usage,
                  fmt::format("[stack] shapes {} and {} differ; all must be equal",
                              describe(tensors[0].shape()), describe(tensor.shape())));
    }
    parts.push_back(unsqueeze(tensor, dim));
  }
  return cat(parts, wrapped("stack", dim, tensors[0].dim() + 1));
}
Tensor stack(std::initializer_list<Tensor> tensors, std::int64_t dim) {
  return stack(std::span(tensors.begin(), tensors.size()), dim);
}

Tensor repeat(const Tensor& x, const Dims& times) {
  Dims shape = x.shape();
  if (times.size() < shape.size()) {
    throw Error(ErrorKind::usage, fmt::format("[repeat] {} names fewer dimensions than shape {} has",
                                              describe(times), describe(shape)));
  }
  while (shape.size() < times.size()) shape.insert(0, 1);
  return kTile({reshape(x, shape), int64s(times)});
}

Tensor triu(const Tensor& x, std::int64_t diagonal) { return triangle(x, diagonal, true); }
Tensor tril(const Tensor& x, std::int64_t diagonal) { return triangle(x, diagonal, false); }

}  // namespace switchyard

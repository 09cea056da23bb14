// Functions as members of Tensor.
#include <fmt/format.h>

#include <limits>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "error/called_function.hpp"
#include "functions/calls/numbers.hpp"
#include "functions/calls/require.hpp"
#include "io/doubles.hpp"
#include "tensor/placement.hpp"
#include "tensor/tensor_impl.hpp"
#include "types/describe.hpp"

namespace switchyard {

std::int64_t Tensor::size(Dim dim) const {
  require_rank("size", *this, 1, std::numeric_limits<std::int64_t>::max());
  return shape()[static_cast<std::size_t>(normalize_axis("size", dim, this->dim()))];
}

double Tensor::item() const {
  const CalledFunction here;
  require_one_element(*this);
  if (!is_integer(dtype()) && !is_floating(dtype()) && !is_small_float(dtype()) &&
      dtype() != DType::bool_) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("item() gives one number, which {} is not", name_of(dtype())));
  }
  CopyCount count;
  const Literal value = read_to_host(TensorRef(impl_), count);
  if (dtype() == DType::float32) return double{value.values<float>()[0]};  // the usual ones soon
  if (dtype() == DType::float64) return value.values<double>()[0];
  return to_doubles(value)[0];
}

Tensor::operator bool() const {
  if (size() != 1) {
    throw Error(
        ErrorKind::shape_mismatch,
        fmt::format("the truth of a tensor is that of its only element, but this one, {}, has "
                    "{}; ask all(x) or any(x), or defined() for whether there is a tensor",
                    describe(dtype(), shape()), size()));
  }
  return item() != 0;
}

Tensor Tensor::view(const Dims& shape) const {
  const CalledFunction here;
  const Tensor viewed = switchyard::reshape(*this, shape);
  const bool is_host_value = !impl_->device;  // whose views are copies on a device
  if (is_host_value || viewed.impl()->storage.get() == impl_->storage.get()) return viewed;
  throw Error(ErrorKind::shape_mismatch,
              fmt::format("[view] no view of shape {} has the elements of shape {} and strides {}; "
                          "use reshape(), which copies",
                          listed(shape), describe(this->shape()), listed(strides())));
}
Tensor Tensor::reshape(const Dims& shape) const { return switchyard::reshape(*this, shape); }
Tensor Tensor::flatten(Dim start_dim, Dim end_dim) const {
  return switchyard::flatten(*this, start_dim, end_dim);
}
Tensor Tensor::transpose(Dim dim0, Dim dim1) const {
  return switchyard::transpose(*this, dim0, dim1);
}
Tensor Tensor::t() const {
  require_rank("t", *this, 0, 2);
  return dim() < 2 ? *this : switchyard::transpose(*this, 0, 1);
}
Tensor Tensor::permute(const Dims& dims) const { return switchyard::permute(*this, dims); }
Tensor Tensor::squeeze() const { return switchyard::squeeze(*this); }
Tensor Tensor::squeeze(Dim dim) const { return switchyard::squeeze(*this, dim); }
Tensor Tensor::unsqueeze(Dim dim) const { return switchyard::unsqueeze(*this, dim); }
Tensor Tensor::expand(const Dims& shape) const { return switchyard::expand(*this, shape); }
Tensor Tensor::select(Dim dim, Int index) const { return switchyard::select(*this, dim, index); }
Tensor Tensor::narrow(Dim dim, Int start, Int length) const {
  return switchyard::narrow(*this, dim, start, length);
}
Tensor Tensor::as_strided(const Dims& shape, const Dims& strides, Int storage_offset) const {
  return switchyard::as_strided(*this, shape, strides, storage_offset);
}

Tensor Tensor::sum() const { return switchyard::sum(*this); }
Tensor Tensor::sum(const Dims& dims, Flag keepdim) const {
  return switchyard::sum(*this, dims, keepdim);
}
Tensor Tensor::mean() const { return switchyard::mean(*this); }
Tensor Tensor::mean(const Dims& dims, Flag keepdim) const {
  return switchyard::mean(*this, dims, keepdim);
}
Tensor Tensor::prod() const { return switchyard::prod(*this); }
Tensor Tensor::prod(const Dims& dims, Flag keepdim) const {
  return switchyard::prod(*this, dims, keepdim);
}
Tensor Tensor::var(const Dims& dims, Real correction, Flag keepdim) const {
  return switchyard::var(*this, dims, correction, keepdim);
}
Tensor Tensor::std(const Dims& dims, Real correction, Flag keepdim) const {
  return switchyard::std(*this, dims, correction, keepdim);
}
Tensor Tensor::norm(Real p) const { return switchyard::norm(*this, p); }
Tensor Tensor::norm(Real p, const Dims& dims, Flag keepdim) const {
  return switchyard::norm(*this, p, dims, keepdim);
}
Tensor Tensor::cumsum(Dim dim) const { return switchyard::cumsum(*this, dim); }
Tensor Tensor::any() const { return switchyard::any(*this); }
Mask Tensor::any(const Dims& dims, Flag keepdim) const {
  return switchyard::any(*this, dims, keepdim);
}
Tensor Tensor::all() const { return switchyard::all(*this); }
Mask Tensor::all(const Dims& dims, Flag keepdim) const {
  return switchyard::all(*this, dims, keepdim);
}
Tensor Tensor::amax(const Dims& dims, Flag keepdim) const {
  return switchyard::amax(*this, dims, keepdim);
}
Tensor Tensor::amin(const Dims& dims, Flag keepdim) const {
  return switchyard::amin(*this, dims, keepdim);
}
ValuesAndIndices Tensor::max(Dim dim, Flag keepdim) const {
  return switchyard::max(*this, dim, keepdim);
}
ValuesAndIndices Tensor::min(Dim dim, Flag keepdim) const {
  return switchyard::min(*this, dim, keepdim);
}
Tensor Tensor::max() const { return switchyard::max(*this); }
Tensor Tensor::min() const { return switchyard::min(*this); }
Tensor Tensor::argmax(std::optional<Dim> dim, Flag keepdim) const {
  return switchyard::argmax(*this, dim, keepdim);
}
Tensor Tensor::argmin(std::optional<Dim> dim, Flag keepdim) const {
  return switchyard::argmin(*this, dim, keepdim);
}
Tensor Tensor::abs() const { return switchyard::abs(*this); }
Tensor Tensor::exp() const { return switchyard::exp(*this); }
Tensor Tensor::log() const { return switchyard::log(*this); }
Tensor Tensor::sqrt() const { return switchyard::sqrt(*this); }
Tensor Tensor::square() const { return switchyard::square(*this); }
Tensor Tensor::pow(const Tensor& exponent) const { return switchyard::pow(*this, exponent); }
Tensor Tensor::relu() const { return switchyard::relu(*this); }
Tensor Tensor::sigmoid() const { return switchyard::sigmoid(*this); }
Tensor Tensor::tanh() const { return switchyard::tanh(*this); }
Tensor Tensor::softmax(Dim dim) const { return switchyard::softmax(*this, dim); }
Tensor Tensor::log_softmax(Dim dim) const { return switchyard::log_softmax(*this, dim); }
Tensor Tensor::matmul(const Tensor& other) const { return switchyard::matmul(*this, other); }
Tensor Tensor::sin() const { return switchyard::sin(*this); }
Tensor Tensor::cos() const { return switchyard::cos(*this); }
Tensor Tensor::clamp(const Tensor& low, const Tensor& high) const {
  return switchyard::clamp(*this, low, high);
}
Tensor Tensor::masked_fill(const Tensor& mask, const Tensor& value) const {
  return switchyard::masked_fill(*this, mask, value);
}
Tensor Tensor::gather(Dim dim, const Tensor& index) const {
  return switchyard::gather(*this, dim, index);
}
Tensor Tensor::index_select(Dim dim, const Tensor& index) const {
  return switchyard::index_select(*this, dim, index);
}
ValuesAndIndices Tensor::topk(Int k, Dim dim, Flag largest) const {
  return switchyard::topk(*this, k, dim, largest);
}
ValuesAndIndices Tensor::sort(Dim dim, Flag descending) const {
  return switchyard::sort(*this, dim, descending);
}
Tensor Tensor::argsort(Dim dim, Flag descending) const {
  return switchyard::argsort(*this, dim, descending);
}
std::vector<Tensor> Tensor::split(std::int64_t size, Dim dim) const {
  return switchyard::split(*this, size, dim);
}
std::vector<Tensor> Tensor::split(const Dims& sizes, Dim dim) const {
  return switchyard::split(*this, sizes, dim);
}
std::vector<Tensor> Tensor::chunk(Int chunks, Dim dim) const {
  return switchyard::chunk(*this, chunks, dim);
}
std::vector<Tensor> Tensor::unbind(Dim dim) const { return switchyard::unbind(*this, dim); }
Tensor Tensor::repeat(const Dims& times) const { return switchyard::repeat(*this, times); }
Tensor Tensor::operator-() const { return switchyard::neg(*this); }

}  // namespace switchyard

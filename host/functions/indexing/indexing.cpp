// x[...]: what an index of several entries shows, and writing to it.
#include "functions/indexing/index_picks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "functions/calls/device_of.hpp"
#include "functions/calls/numbers.hpp"
#include "functions/creation/new_tensor.hpp"
#include "functions/indexing/index_tensor.hpp"
#include "types/describe.hpp"

namespace switchyard {
namespace {

bool is_mask(const Index& entry) {
  return entry.kind == Index::Kind::tensor && entry.tensor.defined() &&
         entry.tensor.dtype() == DType::bool_;
}

/// How many dimensions of the tensor an entry takes up.
std::int64_t taken_up(const Index& entry) {
  switch (entry.kind) {
    case Index::Kind::ellipsis:
    case Index::Kind::new_axis: return 0;
    case Index::Kind::tensor: return is_mask(entry) ? entry.tensor.dim() : 1;
    default: return 1;
  }
}

/// How many whole dimensions an ellipsis stands for.
std::int64_t left_over(const Tensor& x, std::span<const Index> indices) {
  std::int64_t taken = 0, ellipses = 0;
  for (const Index& entry : indices) {
    taken += taken_up(entry);
    ellipses += entry.kind == Index::Kind::ellipsis;
  }
  if (ellipses > 1) {
    throw Error(ErrorKind::invalid_argument, "[index] an index has at most one Ellipsis()");
  }
  if (taken > x.dim()) {
    throw Error(ErrorKind::shape_mismatch,
                fmt::format("[index] {} dimensions are indexed, but shape {} has {}", taken,
                            describe(x.shape()), x.dim()));
  }
  return x.dim() - taken;
}

/// Walks over the entries: from left to right each makes the view smaller, or picks from it.
class Walk {
 public:
  Walk(const Tensor& x, std::span<const Index> indices) : x_(x), found_{x, {}} {
    const std::int64_t rest = left_over(x, indices);
    for (const Index& entry : indices) {
      switch (entry.kind) {
        case Index::Kind::integer: take_one(entry.integer); break;
        case Index::Kind::slice: take_slice(entry.slice); break;
        case Index::Kind::ellipsis: pass(rest); break;
        case Index::Kind::new_axis: found_.view = unsqueeze(found_.view, at_++); break;
        case Index::Kind::tensor: take_tensor(entry.tensor); break;
      }
    }
  }
  Picks found() && { return std::move(found_); }

 private:
  std::int64_t whole() const { return x_.shape()[static_cast<std::size_t>(from_)]; }

  void pass(std::int64_t dims) {
    at_ += dims;
    from_ += dims;
  }

  void take_one(std::int64_t index) {
    if (index < -whole() || index >= whole()) {
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("[index] index {} lies outside dimension {}, whose extent is {}",
                              index, from_, whole()));
    }
    found_.view = select(found_.view, at_, index);
    ++from_;
  }

  void take_slice(const Slice& wanted) {
    if (wanted.step < 1) {
      throw Error(
          ErrorKind::invalid_argument,
          fmt::format("[index] a slice has step {}; it must be at least 1: use flip() to go "
                      "backwards",
                      wanted.step));
    }
    if (wanted.start || wanted.stop || wanted.step != 1) {
      found_.view =
          slice(found_.view, at_, wanted.start.value_or(0),
                wanted.stop.value_or(std::numeric_limits<std::int64_t>::max()), wanted.step);
    }
    pass(1);
  }

  void take_tensor(const Tensor& tensor) {
    if (tensor.defined() && tensor.dtype() == DType::bool_) return take_mask(tensor);
    require_indices("index", tensor);
    if (tensor.dim() == 0) return take_one(integer_value(tensor));
    found_.picks.push_back({tensor, at_, from_});
    pass(1);
  }

  void take_mask(const Tensor& mask) {
    if (mask.dim() == 0) {  // of a new dimension of extent 1, all or nothing
      found_.view = unsqueeze(found_.view, at_);
      found_.picks.push_back({reshape(mask, {1}), at_++, from_});
      return;
    }
    for (std::int64_t d = 0; d < mask.dim(); ++d) {
      const std::int64_t extent = x_.shape()[static_cast<std::size_t>(from_ + d)];
      if (mask.shape()[static_cast<std::size_t>(d)] == extent) continue;
      throw Error(ErrorKind::shape_mismatch,
                  fmt::format("[index] a mask of shape {} does not fit dimension {} of shape {}, "
                              "whose extent is {}",
                              describe(mask.shape()), from_ + d, describe(x_.shape()), extent));
    }
    found_.picks.push_back({mask, at_, from_});
    pass(mask.dim());
  }

  const Tensor& x_;
  Picks found_;
  std::int64_t at_ = 0;    // in the view
  std::int64_t from_ = 0;  // in x
};

/// The value as elements of `x` of that shape; as in an assignment, extents of 1 in front may go.
Tensor fitted(const Tensor& x, Tensor value, const Dims& shape) {
  if (!value.defined())
    throw Error(ErrorKind::invalid_argument, "[index_put_] the value holds nothing");
  const Dims given = value.shape();
  while (value.dim() > static_cast<std::int64_t>(shape.size()) && value.shape()[0] == 1) {
    value = squeeze(value, 0);
  }
  const std::size_t rank = value.shape().size();
  bool fits = rank <= shape.size();
  for (std::size_t d = 0; fits && d < rank; ++d) {
    const std::int64_t wanted = shape[shape.size() - rank + d];
    fits = value.shape()[d] == wanted || value.shape()[d] == 1;
  }
  if (!fits) {
    throw Error(
        ErrorKind::shape_mismatch,
        fmt::format("[index_put_] a value of shape {} does not broadcast to shape {}, which "
                    "the index shows",
                    describe(given), describe(shape)));
  }
  return expand(beside(x, as_element("index_put_", value, x.dtype()), x.dtype()), shape);
}

}  // namespace

Tensor Tensor::index(std::span<const Index> indices) const {
  const Picks found = Walk(*this, indices).found();
  return found.picks.empty() ? found.view : read(found);
}
Tensor Tensor::index(std::initializer_list<Index> indices) const {
  return index(std::span(indices.begin(), indices.size()));
}

Tensor Tensor::index_put_(std::span<const Index> indices, const Tensor& value) const {
  const Picks found = Walk(*this, indices).found();
  // Its views are copies, which would take the elements in its place.
  if (!impl_->device) check_writable("index_put_", TensorRef(impl_));
  const auto fit = [&](const Dims& shape) { return fitted(*this, value, shape); };
  if (found.picks.empty()) {
    found.view.copy_(fit(found.view.shape()));
  } else {
    write(found, value.size() == 1, fit);
  }
  return *this;
}
Tensor Tensor::index_put_(std::initializer_list<Index> indices, const Tensor& value) const {
  return index_put_(std::span(indices.begin(), indices.size()), value);
}

Indexed Tensor::operator[](const Index& index) const { return Indexed(*this, {index}); }
Indexed Tensor::operator[](std::initializer_list<Index> indices) const {
  return Indexed(*this, indices);
}

Indexed::Indexed(const Tensor& of, std::vector<Index> indices)
    : Tensor(of.index(indices)), of_(of), indices_(std::move(indices)) {}

void Indexed::operator=(const Tensor& value) const&& { of_.index_put_(indices_, value); }

void Indexed::put_back(const Tensor& changed) const {
  const bool is_copy = std::any_of(indices_.begin(), indices_.end(), [](const Index& entry) {
    return entry.kind == Index::Kind::tensor;
  });
  if (is_copy || !of_.impl()->device) of_.index_put_(indices_, changed);
}

}  // namespace switchyard

// Einsum: inputs are joined from left to right, each pair by one stack of matrix products, or by a
// plain product where nothing is summed.
#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "kernels/elementwise/binary_functions.hpp"
#include "kernels/elementwise/unary.hpp"
#include "kernels/kernels.hpp"
#include "kernels/products/multiply_tensors.hpp"
#include "kernels/reduction/reduce.hpp"
#include "loops/tensor_copy.hpp"
#include "switchyard/plugin/einsum_equation.hpp"

namespace cpu {
namespace {

using sy::EinsumEquation;
using sy::Label;
using sy::Labels;

// A tensor with a label for each axis. `memory` holds its elements if they are not a caller's.
struct Labelled {
  sy_dtype dtype = 0;
  const void* data = nullptr;
  Labels labels;
  std::vector<int64_t> shape, strides;
  std::shared_ptr<std::byte[]> memory;

  ConstTensor tensor() const { return {dtype, data, shape, strides}; }
  // To be written: of a blank one, whatever the order of its axes.
  Tensor written() const { return {dtype, memory.get(), shape, strides}; }
  bool has(Label label) const { return std::ranges::count(labels, label) != 0; }
  size_t axis(Label label) const {
    return static_cast<size_t>(std::ranges::find(labels, label) - labels.begin());
  }
};

using Extents = std::map<Label, int64_t>;

Labelled blank(sy_dtype dtype, const Labels& labels, const Extents& extents) {
  Labelled made;
  made.dtype = dtype;
  made.labels = labels;
  for (const Label label : labels) made.shape.push_back(extents.at(label));
  const sy::Dimensions strides = sy::contiguous_strides(made.shape);
  made.strides.assign(strides.data.begin(), strides.data.begin() + strides.rank);
  const auto size = static_cast<size_t>(sy::element_count(made.shape)) * sy::dtype_bytes(dtype);
  made.memory = std::shared_ptr<std::byte[]>(new std::byte[std::max<size_t>(size, 1)]);
  made.data = made.memory.get();
  return made;
}

// An input with one axis a label: repeated ones are its diagonal, and extents of 1 are repeated.
Labelled labelled(const ConstTensor& tensor, const Labels& labels, const Extents& extents) {
  Labelled made{tensor.dtype, tensor.data, {}, {}, {}, {}};
  for (size_t i = 0; i < labels.size(); ++i) {
    const int64_t extent = extents.at(labels[i]);
    const int64_t stride = tensor.shape[i] == extent ? tensor.strides[i] : 0;
    if (made.has(labels[i])) {
      made.strides[made.axis(labels[i])] += stride;
      continue;
    }
    made.labels.push_back(labels[i]);
    made.shape.push_back(extent);
    made.strides.push_back(stride);
  }
  return made;
}

// The same elements with their axes in another order; labels that are not there get extent 1.
Labelled ordered(const Labelled& from, const Labels& labels) {
  Labelled made{from.dtype, from.data, labels, {}, {}, from.memory};
  for (const Label label : labels) {
    const bool present = from.has(label);
    made.shape.push_back(present ? from.shape[from.axis(label)] : 1);
    made.strides.push_back(present ? from.strides[from.axis(label)] : 0);
  }
  return made;
}

Labelled converted_to(const Labelled& from, sy_dtype dtype, const Extents& extents) {
  if (from.dtype == dtype) return from;
  Labelled made = blank(dtype, from.labels, extents);
  copy_tensor(from.tensor(), made.written());
  return made;
}

Labelled summed(const Labelled& from, const Labels& kept, const Extents& extents) {
  if (kept.size() == from.labels.size()) return from;
  Labels order = kept;
  for (const Label label : from.labels) {
    if (std::ranges::count(kept, label) == 0) order.push_back(label);
  }
  const Labelled input = ordered(from, order);
  Labelled made = blank(from.dtype, kept, extents);
  uint64_t axes = 0;
  for (size_t i = kept.size(); i < order.size(); ++i) axes |= uint64_t{1} << i;
  reduce(ReduceKind::sum, ReduceFinish::nothing, input.tensor(), made.written(), axes);
  return made;
}

// ---- a pair

// How the labels of a pair take part in its product.
struct Roles {
  Labels batch, rows, columns, sums;
};

// Axes [first, first + count) as one, if they run on into each other.
bool merge(Labelled& tensor, size_t first, size_t count) {
  int64_t extent = 1, stride = 1;
  for (size_t i = first + count; i-- > first;) {
    if (tensor.shape[i] == 1) continue;
    if (extent != 1 && tensor.strides[i] != stride * extent) return false;
    if (extent == 1) stride = tensor.strides[i];
    extent *= tensor.shape[i];
  }
  const auto cut = [&](auto& list, auto value) {
    const auto begin = list.begin() + static_cast<std::ptrdiff_t>(first);
    list.insert(list.erase(begin, begin + static_cast<std::ptrdiff_t>(count)), value);
  };
  cut(tensor.shape, extent);
  cut(tensor.strides, stride);
  cut(tensor.labels, Label{-1});
  return true;
}

// [batch ..., left, right], the last two of several labels each; copied where strides do not allow
// it.
Labelled stacked(const Labelled& from, const Labels& batch, const Labels& left, const Labels& right,
                 const Extents& extents) {
  Labels order = batch;
  order.insert(order.end(), left.begin(), left.end());
  order.insert(order.end(), right.begin(), right.end());
  Labelled made = ordered(from, order);
  const auto merge_both = [&](Labelled& tensor) {
    return merge(tensor, batch.size() + left.size(), right.size()) &&
           merge(tensor, batch.size(), left.size());
  };
  Labelled merged = made;
  if (merge_both(merged)) return merged;
  Labelled copy = blank(from.dtype, order, extents);
  copy_tensor(made.tensor(), copy.written());
  merge_both(copy);
  return copy;
}

Labels joined(std::initializer_list<const Labels*> lists) {
  Labels made;
  for (const Labels* list : lists) made.insert(made.end(), list->begin(), list->end());
  return made;
}

Labelled multiplied(const Labelled& a, const Labelled& b, const Roles& roles,
                    const Extents& extents) {
  const Labels order = joined({&roles.batch, &roles.rows, &roles.columns});
  Labelled made = blank(a.dtype, order, extents);
  if (roles.sums.empty()) {
    const Labelled x = ordered(a, order), y = ordered(b, order);
    run_elementwise({x.tensor(), y.tensor()}, made.written(), binary_function_loop("Mul", a.dtype));
    return made;
  }
  const Labelled x = stacked(a, roles.batch, roles.rows, roles.sums, extents);
  const Labelled y = stacked(b, roles.batch, roles.sums, roles.columns, extents);
  const Labelled product = stacked(made, roles.batch, roles.rows, roles.columns, extents);
  multiply_tensors(x.tensor(), y.tensor(), product.written());
  return made;
}

// `later`: the labels that are wanted after the pair is joined.
Labelled join(const Labelled& left, const Labelled& right, const Labels& later,
              const Extents& extents) {
  Roles roles;
  Labels kept_left, kept_right;
  for (const Label label : left.labels) {
    const bool wanted = std::ranges::count(later, label) != 0;
    if (right.has(label)) {
      (wanted ? roles.batch : roles.sums).push_back(label);
    } else if (wanted) {
      roles.rows.push_back(label);
    }
    if (wanted || right.has(label)) kept_left.push_back(label);
  }
  for (const Label label : right.labels) {
    const bool wanted = std::ranges::count(later, label) != 0;
    if (!left.has(label) && wanted) roles.columns.push_back(label);
    if (wanted || left.has(label)) kept_right.push_back(label);
  }
  return multiplied(summed(left, kept_left, extents), summed(right, kept_right, extents), roles,
                    extents);
}

// ---- the whole

// float16 and bfloat16 are rounded only at the end.
sy_dtype inner_dtype(sy_dtype dtype) {
  return dtype == SY_FLOAT16 || dtype == SY_BFLOAT16 ? SY_FLOAT32 : dtype;
}

void run_einsum(const EinsumEquation& equation, const std::vector<ConstTensor>& inputs,
                const Tensor& y) {
  std::vector<sy::Extents> shapes;
  for (const ConstTensor& input : inputs) shapes.push_back(input.shape);
  const EinsumEquation::Bound bound = equation.bind(shapes);
  const Extents& extents = bound.extents;
  const sy_dtype inner = inner_dtype(y.dtype);
  Labelled so_far;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Labelled input =
        converted_to(labelled(inputs[i], bound.inputs[i], extents), inner, extents);
    Labels later = bound.output;
    for (size_t k = i + 1; k < inputs.size(); ++k) {
      later.insert(later.end(), bound.inputs[k].begin(), bound.inputs[k].end());
    }
    so_far = i == 0 ? input : join(so_far, input, later, extents);
  }
  copy_tensor(ordered(summed(so_far, bound.output, extents), bound.output).tensor(), y);
}

Prepared make_einsum(const sy::Node& node) {
  Prepared made;
  made.kernel = function_kernel(
      [equation = EinsumEquation(node.text("equation")), count = node.input_count()](Call& call) {
        const Tensor& y = call.output(0);
        if (y.size() == 0) return;
        std::vector<ConstTensor> inputs;
        for (uint32_t i = 0; i < count; ++i) inputs.push_back(call.input(i));
        run_einsum(equation, inputs, y);
      });
  return made;
}

constexpr KernelRow einsum_rows[] = {
    {"Einsum", numeric_types, numeric_types, make_einsum, nullptr, any_strides},
};

}  // namespace

KernelTable einsum_kernels() { return einsum_rows; }

}  // namespace cpu

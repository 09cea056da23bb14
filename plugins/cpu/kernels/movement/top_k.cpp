// TopK, Unique: order among elements. NaN counts as larger than every number.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "kernels/kernels.hpp"
#include "kernels/movement/movement.hpp"
#include "machine/parallel.hpp"

namespace cpu {
namespace {

template <typename T>
bool less(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return a < b;
  else if (is_nan(a) || is_nan(b))
    return !is_nan(a) && is_nan(b);
  else
    return convert<double>(a) < convert<double>(b);
}

// ---- TopK

struct TopK {
  int64_t axis;
  bool largest;
  bool sorted;
};

template <typename T>
void top_k(Call& call, const TopK& wanted) {
  const ConstTensor& in = call.input(0);
  const size_t at = normalize_axis(wanted.axis, in.rank());
  const Tensor* shaped = call.has_output(0) ? &call.output(0) : &call.output(1);
  const int64_t k = shaped->shape[at];
  const int64_t extent = in.shape[at];
  const int64_t inner = sy::element_count(in.shape.subspan(at + 1));
  const int64_t lines = sy::element_count(in.shape.first(at)) * inner;
  T* values = call.has_output(0) ? call.output(0).as<T>() : nullptr;
  int64_t* indices = call.has_output(1) ? call.output(1).as<int64_t>() : nullptr;
  parallel_for(lines, 1 + 32768 / (extent + 1), [&](int64_t begin, int64_t end) {
    std::vector<int64_t> order(static_cast<size_t>(extent));
    for (int64_t line = begin; line < end; ++line) {
      const int64_t base = (line / inner) * extent * inner + line % inner;
      const T* data = in.as<T>() + base;
      const auto before = [&](int64_t a, int64_t b) {
        const T x = data[a * inner], y = data[b * inner];
        if (less(x, y)) return !wanted.largest;
        if (less(y, x)) return wanted.largest;
        return a < b;
      };
      std::iota(order.begin(), order.end(), 0);
      std::partial_sort(order.begin(), order.begin() + k, order.end(), before);
      const int64_t out = (line / inner) * k * inner + line % inner;
      for (int64_t i = 0; i < k; ++i) {
        if (values) values[out + i * inner] = data[order[static_cast<size_t>(i)] * inner];
        if (indices) indices[out + i * inner] = order[static_cast<size_t>(i)];
      }
    }
  });
}

Prepared make_top_k(const sy::Node& node) {
  const TopK wanted{node.integer("axis", -1), node.flag("largest", true),
                    node.flag("sorted", true)};
  Prepared made;
  made.kernel = function_kernel(
      visit_dtype(NumericTypes{}, node.required_input(0).dtype, [&](auto zero) -> Run {
        using T = decltype(zero);
        return [wanted](Call& call) { top_k<T>(call, wanted); };
      }));
  return made;
}

// ---- Unique

// Slices along an axis, told apart element by element; without an axis each element is a slice.
template <typename T>
struct Slices {
  const T* data;
  int64_t outer, extent, inner;

  T at(int64_t slice, int64_t element) const {
    return data[((element / inner) * extent + slice) * inner + element % inner];
  }
  int64_t size() const { return outer * inner; }
  int compare(int64_t a, int64_t b) const {
    for (int64_t i = 0; i < size(); ++i) {
      if (less(at(a, i), at(b, i))) return -1;
      if (less(at(b, i), at(a, i))) return 1;
    }
    return 0;
  }
};

// One entry for each distinct slice: where it was first seen, and how often.
struct Distinct {
  std::vector<int64_t> first, count, entry_of;
};

template <typename T>
Distinct find_distinct(const Slices<T>& slices, bool sorted) {
  std::vector<int64_t> order(static_cast<size_t>(slices.extent));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    const int found = slices.compare(a, b);
    return found != 0 ? found < 0 : a < b;
  });
  Distinct distinct;
  distinct.entry_of.resize(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || slices.compare(order[i - 1], order[i]) != 0) {
      distinct.first.push_back(order[i]);
      distinct.count.push_back(0);
    }
    ++distinct.count.back();
    distinct.entry_of[static_cast<size_t>(order[i])] =
        static_cast<int64_t>(distinct.first.size()) - 1;
  }
  if (sorted) return distinct;
  std::vector<int64_t> by_first(distinct.first.size()), position(distinct.first.size());
  std::iota(by_first.begin(), by_first.end(), 0);
  std::sort(by_first.begin(), by_first.end(), [&](int64_t a, int64_t b) {
    return distinct.first[static_cast<size_t>(a)] < distinct.first[static_cast<size_t>(b)];
  });
  Distinct in_order;
  for (size_t i = 0; i < by_first.size(); ++i) {
    const auto from = static_cast<size_t>(by_first[i]);
    in_order.first.push_back(distinct.first[from]);
    in_order.count.push_back(distinct.count[from]);
    position[from] = static_cast<int64_t>(i);
  }
  for (const int64_t entry : distinct.entry_of)
    in_order.entry_of.push_back(position[static_cast<size_t>(entry)]);
  return in_order;
}

void write_integers(Call& call, uint32_t output, const std::vector<int64_t>& values) {
  if (!call.has_output(output)) return;
  const int64_t shape[] = {static_cast<int64_t>(values.size())};
  const Tensor out = call.allocate_output(output, shape);
  if (!values.empty()) std::memcpy(out.data, values.data(), values.size() * sizeof(int64_t));
}

template <typename T>
void unique(Call& call, bool flat, int64_t axis, bool sorted) {
  const ConstTensor& in = call.input(0);
  const size_t at = flat ? 0 : normalize_axis(axis, in.rank());
  Slices<T> slices{in.as<T>(), 1, in.size(), 1};
  std::vector<int64_t> shape{0};
  if (!flat) {
    slices = {in.as<T>(), sy::element_count(in.shape.first(at)), in.shape[at],
              sy::element_count(in.shape.subspan(at + 1))};
    shape.assign(in.shape.begin(), in.shape.end());
  }
  const Distinct distinct = find_distinct(slices, sorted);
  const auto count = static_cast<int64_t>(distinct.first.size());
  if (call.has_output(0)) {
    shape[at] = count;
    const Tensor out = call.allocate_output(0, shape);
    for (int64_t entry = 0; entry < count; ++entry) {
      for (int64_t i = 0; i < slices.size(); ++i) {
        out.as<T>()[((i / slices.inner) * count + entry) * slices.inner + i % slices.inner] =
            slices.at(distinct.first[static_cast<size_t>(entry)], i);
      }
    }
  }
  write_integers(call, 1, distinct.first);
  write_integers(call, 2, distinct.entry_of);
  write_integers(call, 3, distinct.count);
}

Prepared make_unique_kernel(const sy::Node& node) {
  const bool flat = !node.has("axis"), sorted = node.flag("sorted", true);
  const int64_t axis = node.integer("axis", 0);
  Prepared made;
  for (int i = 0; i < 4; ++i) made.outputs.push_back({.mode = SY_OUTPUT_DEFERRED});
  made.kernel = function_kernel(
      visit_dtype(NumericTypes{}, node.required_input(0).dtype, [&](auto zero) -> Run {
        using T = decltype(zero);
        return [flat, axis, sorted](Call& call) { unique<T>(call, flat, axis, sorted); };
      }));
  return made;
}

constexpr KernelRow top_k_rows[] = {
    {"TopK", numeric_types, numeric_types | SY_DTYPE_BIT(SY_INT64), make_top_k},
    {"Unique", numeric_types, numeric_types | SY_DTYPE_BIT(SY_INT64), make_unique_kernel},
};

}  // namespace

KernelTable top_k_kernels() { return top_k_rows; }

}  // namespace cpu

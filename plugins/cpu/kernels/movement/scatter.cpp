// ScatterElements, ScatterND: a copy of the data, written over at indices in order.
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/kernels.hpp"
#include "kernels/movement/busy_positions.hpp"
#include "kernels/movement/movement.hpp"
#include "loops/indices.hpp"

namespace cpu {
namespace {

// Joins the update at `from` into the element at `to`.
using Join = void (*)(char* to, const char* from);

template <typename T>
void store(char* to, const char* from) {
  std::memcpy(to, from, sizeof(T));
}

template <typename T, typename Function>
void combine(char* to, const char* from, Function function) {
  T old, update;
  std::memcpy(&old, to, sizeof(T));
  std::memcpy(&update, from, sizeof(T));
  const T result = function(old, update);
  std::memcpy(to, &result, sizeof(T));
}

// Narrow floats compute in float, integers wrap around.
template <typename T, typename Function>
T compute(T a, T b, Function function) {
  if constexpr (std::is_integral_v<T>) {
    using Wide = std::make_unsigned_t<std::common_type_t<T, int>>;
    return static_cast<T>(function(static_cast<Wide>(a), static_cast<Wide>(b)));
  } else if constexpr (sizeof(T) < 4) {
    return convert<T>(function(convert<float>(a), convert<float>(b)));
  } else {
    return function(a, b);
  }
}

template <typename T>
bool below(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return a < b;
  else
    return convert<double>(a) < convert<double>(b);
}

template <typename T>
void add(char* to, const char* from) {
  combine<T>(to, from,
             [](T a, T b) { return compute(a, b, [](auto x, auto y) { return x + y; }); });
}
template <typename T>
void multiply(char* to, const char* from) {
  combine<T>(to, from,
             [](T a, T b) { return compute(a, b, [](auto x, auto y) { return x * y; }); });
}
template <typename T>
void larger(char* to, const char* from) {
  combine<T>(to, from, [](T a, T b) { return is_nan(a) || below(b, a) ? a : b; });
}
template <typename T>
void smaller(char* to, const char* from) {
  combine<T>(to, from, [](T a, T b) { return is_nan(a) || below(a, b) ? a : b; });
}

Join storing(size_t bytes) {
  switch (bytes) {
    case 1: return store<uint8_t>;
    case 2: return store<uint16_t>;
    case 4: return store<uint32_t>;
    case 8: return store<uint64_t>;
    default: return [](char* to, const char* from) { std::memcpy(to, from, 16); };
  }
}

Join join_for(const sy::Node& node) {
  const std::string reduction(node.text("reduction", "none"));
  const sy_dtype dtype = node.required_input(0).dtype;
  if (reduction == "none") return storing(sy::dtype_bytes(dtype));
  return visit_dtype(NumericTypes{}, dtype, [&](auto zero) -> Join {
    using T = decltype(zero);
    if (reduction == "add") return add<T>;
    if (reduction == "mul") return multiply<T>;
    if (reduction == "max") return larger<T>;
    if (reduction == "min") return smaller<T>;
    throw sy::unsupported(SY_REASON_ATTRIBUTE, node.op(), " does not know reduction '", reduction,
                          "'");
  });
}

void check_scatter(const sy::Node& node) { join_for(node); }

struct Scattering {
  explicit Scattering(const sy::Node& node) : join(join_for(node)) {
    const std::string_view reduction = node.text("reduction", "none");
    const bool rounds = (narrow_and_single & SY_DTYPE_BIT(node.required_input(0).dtype)) != 0;
    multiplies = reduction == "mul";
    joins_beside = rounds && (multiplies || reduction == "add");
  }

  // Update `i` goes to positions[i], which counts blocks of so many elements of `out`.
  void run(const Tensor& out, int64_t block, const std::vector<int64_t>& positions,
           const char* updates) const {
    const int64_t bytes = element_bytes(out);
    std::optional<BusyPositions> busy;
    if (joins_beside) busy.emplace(out, block, positions, multiplies);
    for (const int64_t position : positions) {
      char* to = bytes_of(out) + position * block * bytes;
      if (!busy || !busy->join(position, updates)) {
        for (int64_t k = 0; k < block; ++k) join(to + k * bytes, updates + k * bytes);
      }
      updates += block * bytes;
    }
    if (busy) busy->write();
  }

  static constexpr uint64_t narrow_and_single =
      SY_DTYPE_BIT(SY_FLOAT32) | SY_DTYPE_BIT(SY_FLOAT16) | SY_DTYPE_BIT(SY_BFLOAT16);

  Join join;
  bool multiplies, joins_beside;
};

Prepared make_scatter_elements(const sy::Node& node) {
  const int64_t axis = node.integer("axis", 0);
  Prepared made;
  made.kernel = function_kernel([axis, scattering = Scattering(node)](Call& call) {
    const ConstTensor& data = call.input(0);
    const ConstTensor& updates = call.input(2);
    const Tensor& out = call.output(0);
    const size_t at = normalize_axis(axis, data.rank());
    const Indices indices(call.input(1));
    const int64_t extent = data.shape[at];
    indices.check(extent, "ScatterElements");
    copy_tensor(data, out);
    std::vector<int64_t> positions;
    positions.reserve(static_cast<size_t>(updates.size()));
    for_each_position(call.input(1).shape, [&](int64_t flat, const std::vector<int64_t>& position) {
      int64_t to = indices.at(flat, extent) * out.strides[at];
      for (size_t d = 0; d < position.size(); ++d) to += d == at ? 0 : position[d] * out.strides[d];
      positions.push_back(to);
    });
    scattering.run(out, 1, positions, bytes_of(updates));
  });
  return made;
}

Prepared make_scatter_nd(const sy::Node& node) {
  Prepared made;
  made.kernel = function_kernel([scattering = Scattering(node)](Call& call) {
    const ConstTensor& data = call.input(0);
    const ConstTensor& updates = call.input(2);
    const Tensor& out = call.output(0);
    const IndexTuples tuples(call.input(1));
    copy_tensor(data, out);
    const int64_t block = sy::element_count(data.shape.subspan(tuples.length()));
    std::vector<int64_t> positions;
    for (int64_t i = 0; i < tuples.count(); ++i) {
      positions.push_back(tuples.offset(i, data.shape, "ScatterND"));
    }
    scattering.run(out, block, positions, bytes_of(updates));
  });
  return made;
}

constexpr KernelRow scatter_kernel_rows[] = {
    {"ScatterElements", whole_byte_dtypes, whole_byte_dtypes, make_scatter_elements, check_scatter},
    {"ScatterND", whole_byte_dtypes, whole_byte_dtypes, make_scatter_nd, check_scatter},
};

}  // namespace

KernelTable scatter_kernels() { return scatter_kernel_rows; }

}  // namespace cpu

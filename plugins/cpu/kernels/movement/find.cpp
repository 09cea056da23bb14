// NonZero, Compress: outputs whose size shows only when the values are read.
#include <algorithm>
#include <cstring>
#include <type_traits>

#include "kernels/kernels.hpp"
#include "kernels/movement/movement.hpp"
#include "loops/indices.hpp"

namespace cpu {
namespace {

// A bool is read as its byte, which may hold any value if its maker was careless.
template <typename T>
std::vector<int64_t> positions_not_zero(const ConstTensor& tensor) {
  std::vector<int64_t> positions;
  const auto* data = tensor.as<std::conditional_t<std::is_same_v<T, bool>, uint8_t, T>>();
  for (int64_t i = 0; i < tensor.size(); ++i) {
    if (convert<double>(data[i]) != 0) positions.push_back(i);
  }
  return positions;
}

Prepared make_non_zero(const sy::Node& node) {
  Prepared made;
  made.outputs = {{.mode = SY_OUTPUT_DEFERRED}};
  made.kernel =
      function_kernel(visit_dtype(ByteTypes{}, node.required_input(0).dtype, [](auto zero) -> Run {
        using T = decltype(zero);
        return [](Call& call) {
          const ConstTensor& in = call.input(0);
          const std::vector<int64_t> found = positions_not_zero<T>(in);
          const auto count = static_cast<int64_t>(found.size());
          const int64_t shape[] = {static_cast<int64_t>(in.rank()), count};
          const Tensor out = call.allocate_output(0, shape);
          for (int64_t i = 0; i < count; ++i) {
            int64_t rest = found[static_cast<size_t>(i)];
            for (size_t d = in.rank(); d-- > 0;) {
              out.as<int64_t>()[static_cast<int64_t>(d) * count + i] = rest % in.shape[d];
              rest /= in.shape[d];
            }
          }
        };
      }));
  return made;
}

Prepared make_compress(const sy::Node& node) {
  const bool flat = !node.has("axis");
  const int64_t axis = node.integer("axis", 0);
  Prepared made;
  made.outputs = {{.mode = SY_OUTPUT_DEFERRED}};
  made.kernel = function_kernel([flat, axis](Call& call) {
    const ConstTensor& in = call.input(0);
    const ConstTensor& condition = call.input(1);
    const size_t at = flat ? 0 : normalize_axis(axis, in.rank());
    const int64_t extent = flat ? in.size() : in.shape[at];
    std::vector<int64_t> kept;
    for (int64_t i = 0; i < std::min(extent, condition.size()); ++i) {
      if (condition.as<uint8_t>()[i] != 0) kept.push_back(i);
    }
    std::vector<int64_t> shape(in.shape.begin(), in.shape.end());
    if (flat) shape = {0};
    shape[at] = static_cast<int64_t>(kept.size());
    const Tensor out = call.allocate_output(0, shape);
    const int64_t bytes = element_bytes(in);
    const int64_t inner = (flat ? 1 : sy::element_count(in.shape.subspan(at + 1))) * bytes;
    const int64_t outer = flat ? 1 : sy::element_count(in.shape.first(at));
    char* to = bytes_of(out);
    for (int64_t o = 0; o < outer; ++o) {
      for (const int64_t i : kept) {
        std::memcpy(to, bytes_of(in) + (o * extent + i) * inner, static_cast<size_t>(inner));
        to += inner;
      }
    }
  });
  return made;
}

constexpr KernelRow find_rows[] = {
    {"NonZero", dtypes_of(ByteTypes{}), SY_DTYPE_BIT(SY_INT64), make_non_zero},
    {"Compress", whole_byte_dtypes, whole_byte_dtypes, make_compress},
};

}  // namespace

KernelTable find_kernels() { return find_rows; }

}  // namespace cpu

// BitCast: the same bits read as another type of their width.
#include <cstring>

#include "kernels/elementwise/unary.hpp"
#include "kernels/kernels.hpp"
#include "kernels/movement/movement.hpp"
#include "loops/elementwise_kernel.hpp"

namespace cpu {
namespace {

template <size_t Bytes>
void copy_bits(char* const* data, const int64_t* steps, int64_t count, const void*) {
  for (int64_t i = 0; i < count; ++i) {
    std::memmove(data[1] + i * steps[1], data[0] + i * steps[0], Bytes);
  }
}

InnerLoop row_of(size_t bytes) {
  switch (bytes) {
    case 1: return copy_bits<1>;
    case 2: return copy_bits<2>;
    case 4: return copy_bits<4>;
    case 8: return copy_bits<8>;
    default: return copy_bits<16>;
  }
}

void check_bit_cast(const sy::Node& node) {
  if (sy::dtype_bits(node.required_input(0).dtype) ==
      sy::dtype_bits(node.required_output(0).dtype)) {
    return;
  }
  throw sy::unsupported(SY_REASON_DTYPE, "BitCast changes no width");
}

Prepared make_bit_cast(const sy::Node& node) {
  const size_t bytes = sy::dtype_bytes(node.required_input(0).dtype);
  return unary_kernel(node, {row_of(bytes), {}, cheap_grain}, true);
}

// Types below a byte are contiguous: all their bytes at once.
Prepared make_packed_bit_cast(const sy::Node&) {
  Prepared made;
  made.kernel = function_kernel([](Call& call) {
    const ConstTensor& input = call.input(0);
    if (input.size() == 0) return;
    std::memcpy(call.output(0).data, input.data,
                sy::contiguous_bytes(input.dtype, static_cast<uint64_t>(input.size())));
  });
  return made;
}

constexpr uint64_t packed_dtypes = SY_DTYPE_BIT(SY_INT4) | SY_DTYPE_BIT(SY_UINT4) |
                                   SY_DTYPE_BIT(SY_FLOAT4E2M1) | SY_DTYPE_BIT(SY_INT2) |
                                   SY_DTYPE_BIT(SY_UINT2);

constexpr KernelRow reinterpretation_rows[] = {
    {"BitCast", whole_byte_dtypes, whole_byte_dtypes, make_bit_cast, check_bit_cast, any_strides},
    {"BitCast", packed_dtypes, packed_dtypes, make_packed_bit_cast, check_bit_cast},
};

}  // namespace

KernelTable reinterpretation_kernels() { return reinterpretation_rows; }

}  // namespace cpu

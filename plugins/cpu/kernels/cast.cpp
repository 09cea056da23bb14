// Cast and CastLike. The output's type is the node's output's, whatever says so.
#include <algorithm>
#include <array>

#include "convert.hpp"
#include "dispatch.hpp"
#include "elementwise_kernel.hpp"
#include "kernels.hpp"
#include "kernels/nibbles.hpp"
#include "kernels/unary.hpp"
#include "parallel.hpp"

namespace cpu {
namespace {

struct Converting {
  ConvertRow convert;
};

void converting_row(char* const* data, const int64_t* steps, int64_t count, const void* self) {
  static_cast<const Converting*>(self)->convert(data[0], steps[0], data[1], steps[1], count);
}

Prepared make_cast(const sy::Node& node) {
  const sy_dtype from = node.needed_input(0).dtype;
  const sy_dtype to = node.needed_output(0).dtype;
  const ConvertRow convert = convert_row(from, to, node.flag("saturate", true));
  const Loop loop{converting_row, std::make_shared<Converting>(Converting{convert}), cheap_grain};
  Prepared made;
  made.outputs = {{.may_alias_inputs = sy::dtype_bytes(from) == sy::dtype_bytes(to) ? 1u : 0u,
                   .follows_layout = true}};
  made.elementwise = std::make_shared<ElementwiseKernel>(loop, node, 1);
  return made;
}

// ---- 4-bit types, which are always contiguous; they go through bytes

struct NibbleCast {
  sy_dtype from, to;
  ConvertRow convert;

  // Blocks are of an even length, so that each begins at a byte.
  static constexpr int64_t block = 512;

  void run_block(const char* source, char* destination, int64_t first, int64_t count) const {
    std::array<uint8_t, block> in;
    std::array<uint8_t, block> out;
    const auto in_bytes = static_cast<int64_t>(sy::dtype_bytes(byte_for(from)));
    const auto out_bytes = static_cast<int64_t>(sy::dtype_bytes(byte_for(to)));
    const char* at = source + first * in_bytes;
    char* to_place = destination + first * out_bytes;
    if (is_nibble(from)) {
      unpack_nibbles(reinterpret_cast<const uint8_t*>(source) + first / 2, from, in.data(), count);
      at = reinterpret_cast<const char*>(in.data());
    }
    if (is_nibble(to)) to_place = reinterpret_cast<char*>(out.data());
    convert(at, in_bytes, to_place, out_bytes, count);
    if (!is_nibble(to)) return;
    // Floating numbers saturate at the 4-bit ends, as they do at those of wider types; integers
    // wrap.
    if ((sy::float_dtypes & SY_DTYPE_BIT(from)) != 0) saturate_nibbles(to, out.data(), count);
    pack_nibbles(out.data(), reinterpret_cast<uint8_t*>(destination) + first / 2, count);
  }

  void run(const char* source, char* destination, int64_t size) const {
    parallel_for((size + block - 1) / block, 32, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        run_block(source, destination, i * block, std::min(block, size - i * block));
      }
    });
  }
};

Prepared make_nibble_cast(const sy::Node& node) {
  NibbleCast cast;
  cast.from = node.needed_input(0).dtype;
  cast.to = node.needed_output(0).dtype;
  cast.convert = convert_row(byte_for(cast.from), byte_for(cast.to), node.flag("saturate", true));
  Prepared made;
  made.run = [cast](Call& call) {
    const Tensor& input = call.input(0);
    cast.run(input.as<char>(), call.output(0).as<char>(), input.size());
  };
  return made;
}

constexpr uint64_t bytes = dtypes_of(ByteTypes{});
constexpr uint64_t all = bytes | SY_DTYPE_BIT(SY_INT4) | SY_DTYPE_BIT(SY_UINT4);

constexpr KernelRow rows[] = {
    {"Cast", bytes, bytes, make_cast, nullptr, any_strides},
    {"Cast", all, all, make_nibble_cast},
    {"CastLike", bytes, bytes, make_cast, nullptr, any_strides},
    {"CastLike", all, all, make_nibble_cast},
};

}  // namespace

KernelTable cast_kernels() { return rows; }

}  // namespace cpu

// Cast and CastLike. The output's type is the node's output's, whatever says so.
#include <algorithm>
#include <array>
#include <bit>

#include "kernels/elementwise/unary.hpp"
#include "kernels/kernels.hpp"
#include "loops/convert.hpp"
#include "loops/elementwise_kernel.hpp"
#include "loops/sub_byte.hpp"
#include "machine/parallel.hpp"
#include "switchyard/plugin/division.hpp"
#include "types/dispatch.hpp"

namespace cpu {
namespace {

struct Converting {
  ConvertRow convert;
};

void converting_row(char* const* data, const int64_t* steps, int64_t count, const void* self) {
  static_cast<const Converting*>(self)->convert(data[0], steps[0], data[1], steps[1], count);
}

// ---- powers of two, which alone are rounded as the node says

PowerRounding power_rounding(const sy::Node& node) {
  const std::string_view mode = node.text("round_mode", "up");
  if (mode == "up") return PowerRounding::up;
  if (mode == "down") return PowerRounding::down;
  if (mode == "nearest") return PowerRounding::nearest;
  throw sy::unsupported(SY_REASON_ATTRIBUTE, "round_mode is \"", mode,
                        "\"; it may be up, down or nearest");
}

struct RoundingToPower {
  ConvertRow to_double;
  PowerRounding rounding;
  bool saturate;
};

void rounding_row(char* const* data, const int64_t* steps, int64_t count, const void* self) {
  const auto& rounding = *static_cast<const RoundingToPower*>(self);
  for (int64_t i = 0; i < count; ++i) {
    double number;
    rounding.to_double(data[0] + i * steps[0], steps[0], reinterpret_cast<char*>(&number),
                       sizeof(number), 1);
    *reinterpret_cast<uint8_t*>(data[1] + i * steps[1]) =
        to_float8e8m0(number, rounding.saturate, rounding.rounding).bits;
  }
}

Loop cast_loop(const sy::Node& node, sy_dtype from, sy_dtype to) {
  const bool saturate = node.flag("saturate", true);
  if (to == SY_FLOAT8E8M0 && from != to) {
    const RoundingToPower rounding{convert_row(from, SY_FLOAT64), power_rounding(node), saturate};
    return {rounding_row, std::make_shared<RoundingToPower>(rounding), medium_grain};
  }
  const Converting converting{convert_row(from, to, saturate)};
  return {converting_row, std::make_shared<Converting>(converting), cheap_grain};
}

Prepared make_cast(const sy::Node& node) {
  const sy_dtype from = node.required_input(0).dtype;
  const sy_dtype to = node.required_output(0).dtype;
  Prepared made;
  made.outputs = {{.may_alias_inputs = sy::dtype_bytes(from) == sy::dtype_bytes(to) ? 1u : 0u,
                   .follows_layout = true}};
  made.kernel = std::make_unique<ElementwiseKernel>(cast_loop(node, from, to), node, 1);
  return made;
}

// ---- types below a byte, which are always contiguous; they go through bytes, or through float64
// to become 4-bit floats

struct PackedCast {
  sy_dtype from, to;
  ConvertRow convert = nullptr;  // between the types of whole bytes; to float64 for a 4-bit float
  Loop to_power = {};            // in place of it where the result is a power of two

  // Blocks are of an even number of bytes, whatever the type.
  static constexpr int64_t block = 512;
  using Word = uint64_t;  // the bits of an int64, or of a float64

  // Integers below a byte keep the lowest bits of a wide one, whatever they are made from.
  static sy_dtype whole(sy_dtype to) {
    if (to == SY_FLOAT4E2M1) return SY_FLOAT64;
    return sy::is_sub_byte(to) ? SY_INT64 : to;
  }

  void run_block(const char* source, char* destination, int64_t first, int64_t count) const {
    std::array<uint8_t, block> in;
    std::array<Word, block> out;
    const auto in_bytes = static_cast<int64_t>(sy::dtype_bytes(byte_for(from)));
    const auto out_bytes = static_cast<int64_t>(sy::dtype_bytes(whole(to)));
    const char* at = source + first * in_bytes;
    char* position = destination + first * out_bytes;
    if (sy::is_sub_byte(from)) {
      unpack_elements(reinterpret_cast<const uint8_t*>(source), from, first, in.data(), count);
      at = reinterpret_cast<const char*>(in.data());
    }
    if (sy::is_sub_byte(to)) position = reinterpret_cast<char*>(out.data());
    if (to_power.row != nullptr) {
      char* const data[] = {row_pointer(at), position};
      const int64_t steps[] = {in_bytes, out_bytes};
      to_power.row(data, steps, count, to_power.parameters.get());
    } else {
      convert(at, in_bytes, position, out_bytes, count);
    }
    if (sy::is_sub_byte(to)) pack(out, reinterpret_cast<uint8_t*>(destination), first, count);
  }

  void pack(std::array<Word, block>& out, uint8_t* destination, int64_t first,
            int64_t count) const {
    std::array<uint8_t, block> codes;
    for (int64_t i = 0; i < count; ++i) {
      codes[i] = to == SY_FLOAT4E2M1
                     ? static_cast<uint8_t>(to_float4(std::bit_cast<double>(out[i])))
                     : static_cast<uint8_t>(out[i]);
    }
    pack_elements(codes.data(), to, destination, first, count);
  }

  void run(const char* source, char* destination, int64_t size) const {
    parallel_for(sy::ceil_div(size, block), 32, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        run_block(source, destination, i * block, std::min(block, size - i * block));
      }
    });
  }
};

Prepared make_packed_cast(const sy::Node& node) {
  PackedCast cast;
  cast.from = node.required_input(0).dtype;
  cast.to = node.required_output(0).dtype;
  if (cast.to == SY_FLOAT8E8M0) {
    cast.to_power = cast_loop(node, byte_for(cast.from), cast.to);
  } else {
    cast.convert =
        convert_row(byte_for(cast.from), PackedCast::whole(cast.to), node.flag("saturate", true));
  }
  Prepared made;
  made.kernel = function_kernel([cast](Call& call) {
    const ConstTensor& input = call.input(0);
    cast.run(input.as<char>(), call.output(0).as<char>(), input.size());
  });
  return made;
}

constexpr uint64_t whole_byte_types = dtypes_of(ByteTypes{});
constexpr uint64_t all = whole_byte_types | sub_byte_dtypes;

constexpr KernelRow cast_rows[] = {
    {"Cast", whole_byte_types, whole_byte_types, make_cast, nullptr, any_strides},
    {"Cast", all, all, make_packed_cast},
    {"CastLike", whole_byte_types, whole_byte_types, make_cast, nullptr, any_strides},
    {"CastLike", all, all, make_packed_cast},
};

}  // namespace

KernelTable cast_kernels() { return cast_rows; }

}  // namespace cpu

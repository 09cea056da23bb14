#include <cstring>

#include "kernels/quantized/byte_arithmetic.hpp"
#include "kernels/quantized/byte_rows.hpp"
#include "switchyard/plugin/guard.hpp"

namespace cpu {
namespace {

void look_up(char* const* data, const int64_t* steps, int64_t count, const void* parameters) {
  const ByteTable& table = *static_cast<const ByteTable*>(parameters);
  const auto* from = reinterpret_cast<const uint8_t*>(data[0]);
  auto* to = reinterpret_cast<uint8_t*>(data[1]);
  if (steps[0] == 1 && steps[1] == 1) return look_up_bytes(from, count, table.data(), to);
  for (int64_t i = 0; i < count; ++i) to[i * steps[1]] = table[from[i * steps[0]]];
}

template <typename T>
ByteTable table_of(ByteScale from, ByteScale to, InnerLoop function, const void* parameters) {
  ByteTable bytes;
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(i);
  std::array<T, 256> quantized;
  std::memcpy(quantized.data(), bytes.data(), bytes.size());
  std::array<float, 256> reals;
  write_reals(quantized.data(), 256, from.zero, from.scale, reals.data());
  if (function != nullptr) {
    char* const data[2] = {reinterpret_cast<char*>(reals.data()),
                           reinterpret_cast<char*>(reals.data())};
    const int64_t steps[2] = {sizeof(float), sizeof(float)};
    function(data, steps, 256, parameters);
  }
  write_quantized(reals.data(), 256, to.scale, to.zero, quantized.data());
  std::memcpy(bytes.data(), quantized.data(), bytes.size());
  return bytes;
}

}  // namespace

InnerLoop byte_table_row() { return look_up; }

bool is_identity(const ByteTable& table) {
  for (size_t i = 0; i < table.size(); ++i) {
    if (table[i] != i) return false;
  }
  return true;
}

ByteTable byte_table(sy_dtype dtype, ByteScale from, ByteScale to, InnerLoop function,
                     const void* parameters) {
  if (dtype == SY_INT8) return table_of<int8_t>(from, to, function, parameters);
  if (dtype == SY_UINT8) return table_of<uint8_t>(from, to, function, parameters);
  throw sy::bug("no table of ", sy::dtype_name(dtype));
}

}  // namespace cpu

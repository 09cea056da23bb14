#include <algorithm>
#include <cstring>

#include "cli/conform/devices/device_cases.hpp"
#include "cli/conform/devices/test_bytes.hpp"
#include "cli/conform/plugin/test_device.hpp"
#include "ops/literal.hpp"

namespace switchyard::cli::conform {
namespace {

constexpr DType kTypes[] = {DType::uint8,    DType::int16,      DType::float16, DType::float32,
                            DType::int64,    DType::float64,    DType::bool_,   DType::complex64,
                            DType::bfloat16, DType::complex128, DType::int4,    DType::uint2};

/// Strides of a shape of two extents, and the elements that they reach over.
struct Side {
  const char* what;
  std::int64_t strides[2];
  std::int64_t first;  // elements before the one whose indices are all 0
};
constexpr std::int64_t kRows = 5, kColumns = 7, kReach = 200;
constexpr Side kSides[] = {{"contiguous", {kColumns, 1}, 0},
                           {"transposed", {1, kRows}, 0},
                           {"with gaps", {2 * kColumns + 3, 2}, 1},
                           {"reversed", {-kColumns, -1}, kRows* kColumns - 1},
                           {"half reversed", {-kColumns, 1}, (kRows - 1) * kColumns}};
constexpr Side kRepeated = {"with a stride of 0", {0, 1}, 0};

std::int64_t position(const Side& side, std::int64_t row, std::int64_t column) {
  return side.first + row * side.strides[0] + column * side.strides[1];
}

/// What a copy between two blocks leaves in the second one.
std::vector<std::byte> expected_block(const std::vector<std::byte>& source, const Side& from,
                                      std::vector<std::byte> destination, const Side& to,
                                      std::size_t size) {
  for (std::int64_t row = 0; row < kRows; ++row) {
    for (std::int64_t column = 0; column < kColumns; ++column) {
      std::memcpy(destination.data() + static_cast<std::size_t>(position(to, row, column)) * size,
                  source.data() + static_cast<std::size_t>(position(from, row, column)) * size,
                  size);
    }
  }
  return destination;
}

bool takes_offset(const TestDevice& device, std::uint64_t bytes) {
  const std::uint32_t step = device.info().offset_alignment;
  return bytes == 0 || (step != 0 && bytes % step == 0);
}

void try_pair(TestStream& stream, DType dtype, const Side& from, const Side& to) {
  TestDevice& device = stream.device();
  const auto size = static_cast<std::size_t>(bit_width(dtype) / 8);
  const std::vector<std::byte> source = test_bytes(kReach * size, 1);
  const std::vector<std::byte> before = test_bytes(kReach * size, 2);
  const std::vector<std::byte> expected = expected_block(source, from, before, to, size);
  const std::string what =
      fmt::format("{} elements of {} bytes, {}, to {}", kRows * kColumns, size, from.what, to.what);
  const std::uint64_t from_offset = static_cast<std::uint64_t>(from.first) * size;
  const std::uint64_t to_offset = static_cast<std::uint64_t>(to.first) * size;
  const Dims shape{kRows, kColumns};
  const TestStorage storage(device, kReach * size, &stream);
  sy_region host = host_region(source.data(), from.strides);
  host.offset_bytes = from_offset;
  if (takes_offset(device, to_offset)) {
    storage.write(stream, before);
    stream.copy(dtype, shape, host, storage.region(to_offset, to.strides));
    stream.finish();
    require_bytes(storage.read(stream), expected, what + ", from host memory");
  }
  if (!takes_offset(device, from_offset)) return;
  storage.write(stream, source);
  std::vector<std::byte> found = before;
  sy_region back = host_region(found.data(), to.strides);
  back.offset_bytes = to_offset;
  stream.copy(dtype, shape, storage.region(from_offset, from.strides), back);
  stream.finish();
  require_bytes(found, expected, what + ", to host memory");
  if (!takes_offset(device, to_offset)) return;
  const TestStorage other(device, kReach * size, &stream);
  other.write(stream, before);
  stream.copy(dtype, shape, storage.region(from_offset, from.strides),
              other.region(to_offset, to.strides));
  stream.finish();
  require_bytes(other.read(stream), expected, what + ", within the device");
}

}  // namespace

void try_round_trips(CaseRun& run) {
  TestDevice device(run);
  TestStream stream(device);
  for (const DType dtype : kTypes) {
    for (const std::int64_t count : {1, 2, 3, 7, 31, 64, 1001, 65'537}) {
      const std::size_t size = byte_size(dtype, count);
      const std::vector<std::byte> bytes = test_bytes(size, static_cast<unsigned>(count));
      const TestStorage storage(device, size, &stream);
      stream.copy(dtype, {count}, host_region(bytes.data()), storage.region());
      std::vector<std::byte> found(size);
      stream.copy(dtype, {count}, storage.region(), host_region(found.data()));
      stream.finish();
      if (bit_width(dtype) < 8) {  // the bits behind the last element are nobody's
        const int used = static_cast<int>(count * bit_width(dtype) % 8);
        const std::byte mask = used == 0 ? std::byte{0xff} : std::byte((1 << used) - 1);
        found.back() = (found.back() & mask) | (bytes.back() & ~mask);
      }
      require_bytes(found, bytes, fmt::format("{} elements of {}", count, name_of(dtype)));
    }
  }
}

void try_strided_copies(CaseRun& run) {
  TestDevice device(run);
  TestStream stream(device);
  for (const DType dtype :
       {DType::uint8, DType::float16, DType::float32, DType::float64, DType::complex128}) {
    for (const Side& to : kSides) {
      for (const Side& from : kSides) try_pair(stream, dtype, from, to);
      try_pair(stream, dtype, kRepeated, to);
    }
  }
}

void try_misaligned_copies(CaseRun& run) {
  TestDevice device(run);
  TestStream stream(device);
  constexpr std::int64_t count = 100;
  for (const DType dtype : kTypes) {
    const std::size_t size = byte_size(dtype, count);
    for (const std::size_t shift : {1, 2, 3, 5}) {
      const std::vector<std::byte> source = test_bytes(size + shift, 1);
      std::vector<std::byte> found(size + shift);
      std::copy_n(source.begin(), shift, found.begin());  // what the copy leaves alone
      const TestStorage storage(device, size, &stream);
      stream.copy(dtype, {count}, host_region(source.data() + shift), storage.region());
      stream.copy(dtype, {count}, storage.region(), host_region(found.data() + shift));
      stream.finish();
      require_bytes(found, source,
                    fmt::format("{} of {}, from byte {} on", count, name_of(dtype), shift));
    }
  }
}

void try_empty_copies(CaseRun& run) {
  TestDevice device(run);
  TestStream stream(device);
  const std::vector<std::byte> before = test_bytes(64, 1);
  const std::vector<std::byte> source = test_bytes(64, 2);
  const TestStorage storage(device, 64, &stream);
  storage.write(stream, before);
  for (const Dims& shape : {Dims{0}, Dims{3, 0}, Dims{0, 5, 2}}) {
    stream.copy(DType::float32, shape, host_region(source.data()), storage.region());
    stream.finish();
    require_bytes(storage.read(stream), before, "a storage after a copy of no elements");
  }
  stream.copy(DType::float32, {}, host_region(source.data()), storage.region());
  stream.finish();
  std::vector<std::byte> expected = before;
  std::copy_n(source.begin(), sizeof(float), expected.begin());
  require_bytes(storage.read(stream), expected, "a storage after a copy of rank 0");
}

void try_copies_within_device(CaseRun& run) {
  TestDevice device(run);
  TestStream stream(device);
  const std::vector<std::byte> bytes = test_bytes(40'000, 1);
  const TestStorage a(device, bytes.size(), &stream), b(device, bytes.size(), &stream);
  const auto count = static_cast<std::int64_t>(bytes.size() / sizeof(float));
  a.write(stream, bytes);
  b.write(stream, test_bytes(bytes.size(), 2));
  stream.copy(DType::float32, {count}, a.region(), b.region());
  stream.finish();
  require_bytes(b.read(stream), bytes, "a copy from storage to storage");
  require_bytes(a.read(stream), bytes, "the source of a copy");
}

}  // namespace switchyard::cli::conform

#include "data/unpacked_file.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <new>
#include <system_error>

#include "io/file_error.hpp"

namespace switchyard {
namespace {

constexpr int kGzip = 16 + MAX_WBITS;  // of inflateInit2: a stream with gzip's head and sums

bool begins_as_gzip(std::span<const std::byte> bytes) {
  return bytes.size() >= 2 && bytes[0] == std::byte{0x1f} && bytes[1] == std::byte{0x8b};
}

std::shared_ptr<const MappedFile> mapped(const std::filesystem::path& path) {
  try {
    return MappedFile::open(path);
  } catch (const std::system_error& error) {
    refuse_unreadable(path.string(), error.code());
  }
}

}  // namespace

struct UnpackedFile::Inflation {
  Inflation() {
    if (inflateInit2(&stream, kGzip) != Z_OK) throw std::bad_alloc();
  }
  ~Inflation() { inflateEnd(&stream); }
  Inflation(const Inflation&) = delete;
  Inflation& operator=(const Inflation&) = delete;

  z_stream stream{};
};

UnpackedFile::UnpackedFile(const std::filesystem::path& path)
    : name_(path.string()), file_(mapped(path)), rest_(file_->bytes()) {
  if (begins_as_gzip(rest_)) inflation_ = std::make_unique<Inflation>();
}

UnpackedFile::~UnpackedFile() = default;

std::vector<std::byte> UnpackedFile::read(std::size_t bytes) {
  constexpr std::size_t kBlock = std::size_t{1} << 16;  // a damaged head may promise anything
  std::vector<std::byte> found;
  while (found.size() < bytes) {
    const std::size_t before = found.size();
    found.resize(before + std::min(kBlock, bytes - before));
    const std::size_t count = take(std::span(found).subspan(before));
    found.resize(before + count);
    if (count == 0) break;
  }
  return found;
}

/// Some of the wanted bytes, none only at the end.
std::size_t UnpackedFile::take(std::span<std::byte> wanted) {
  if (inflation_) return inflate(wanted);
  const std::size_t count = std::min(wanted.size(), rest_.size());
  std::copy_n(rest_.begin(), count, wanted.begin());
  rest_ = rest_.subspan(count);
  return count;
}

std::size_t UnpackedFile::inflate(std::span<std::byte> wanted) {
  constexpr std::size_t kMostInput = std::size_t{1} << 30;  // zlib counts in 32 bits
  z_stream& stream = inflation_->stream;
  stream.next_out = reinterpret_cast<Bytef*>(wanted.data());
  stream.avail_out = static_cast<uInt>(wanted.size());
  while (!is_over_ && stream.avail_out == wanted.size()) {
    const std::size_t given = std::min(rest_.size(), kMostInput);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(rest_.data()));
    stream.avail_in = static_cast<uInt>(given);
    const int code = ::inflate(&stream, Z_NO_FLUSH);
    rest_ = rest_.subspan(given - stream.avail_in);
    if (code == Z_STREAM_END) {
      end_member();
    } else if (code != Z_OK) {
      refuse(name_, "it is damaged or cut short, says zlib; fetch it again");
    }
  }
  return wanted.size() - stream.avail_out;
}

/// A file may hold several packed members in a row, and nothing else.
void UnpackedFile::end_member() {
  is_over_ = rest_.empty();
  if (is_over_) return;
  if (!begins_as_gzip(rest_)) {
    refuse(name_, fmt::format("{} bytes follow the end of what gzip packed; it is damaged, fetch "
                              "it again",
                              rest_.size()));
  }
  inflateReset(&inflation_->stream);
}

}  // namespace switchyard

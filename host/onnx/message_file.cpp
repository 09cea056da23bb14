#include "onnx/message_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl.h>
#include <google/protobuf/message_lite.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <system_error>

#include "io/file_error.hpp"

namespace switchyard {

namespace {

using google::protobuf::MessageLite;

void check_size(std::uint64_t size, const std::string& name) {
  if (size <= INT_MAX) return;
  refuse(name,
         "it is over 2 GB, more than the format can hold; save its large tensors as external "
         "data");
}

void parse(google::protobuf::io::ZeroCopyInputStream& stream, MessageLite& message,
           const std::string& name, const std::string& what) {
  google::protobuf::io::CodedInputStream input(&stream);
  input.SetTotalBytesLimit(INT_MAX);
  if (message.ParseFromCodedStream(&input) && input.ConsumedEntireMessage()) return;
  refuse(name,
         fmt::format("it is no {}, or it is cut short or damaged at byte {}; fetch or export it "
                     "again",
                     what, input.CurrentPosition()));
}

struct Descriptor {
  int number;
  ~Descriptor() { close(number); }
};

[[noreturn]] void refuse_errno(const std::string& name, int code) {
  refuse(name, fmt::format("cannot read it: {}", std::generic_category().message(code)));
}

}  // namespace

void parse_file(const std::filesystem::path& path, MessageLite& message, const std::string& what) {
  const std::string name = path.string();
  const int number = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (number < 0) refuse_errno(name, errno);
  const Descriptor descriptor{number};
  struct stat status = {};
  if (fstat(number, &status) != 0) refuse_errno(name, errno);
  if (S_ISDIR(status.st_mode)) refuse_errno(name, EISDIR);
  if (!S_ISREG(status.st_mode)) refuse(name, "it is no regular file");
  if (status.st_size == 0) refuse(name, "the file is empty");
  check_size(static_cast<std::uint64_t>(status.st_size), name);
  constexpr int kBlock = 1 << 20;
  google::protobuf::io::FileInputStream stream(number, kBlock);
  parse(stream, message, name, what);
  if (stream.GetErrno() != 0) refuse_errno(name, stream.GetErrno());
}

void parse_bytes(std::span<const std::byte> bytes, MessageLite& message, const std::string& name,
                 const std::string& what) {
  check_size(bytes.size(), name);
  google::protobuf::io::ArrayInputStream stream(bytes.data(), static_cast<int>(bytes.size()));
  parse(stream, message, name, what);
}

}  // namespace switchyard

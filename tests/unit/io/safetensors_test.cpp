// safetensors files: the bytes of the format, both ways, and every way to break its rules.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <switchyard/io.hpp>

#include "io/error_line.hpp"
#include "temporary_folder.hpp"
#include "tensor/host_tensor.hpp"

namespace switchyard {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using Metadata = std::map<std::string, std::string>;

/// A file as the format has it: the header's length, the header, the data.
std::string file_of(const std::string& header, const std::string& data = "") {
  std::string file(8, '\0');
  for (std::size_t i = 0; i < 8; ++i) file[i] = static_cast<char>(header.size() >> (8 * i) & 0xFF);
  return file + header + data;
}

std::string entry(const std::string& dtype, const std::string& shape, const std::string& offsets) {
  return R"({"dtype":")" + dtype + R"(","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}";
}

class SafetensorsTest : public testing::Test {
 protected:
  SafetensorsFile read(const std::string& bytes) {
    write_bytes(path_, bytes);
    return load_safetensors(path_);
  }
  /// What is said of the file, without its folder.
  std::string refusal_of(const std::string& bytes) {
    const std::string line = error_line([&] { read(bytes); });
    const std::string folder = path_.parent_path().string() + "/";
    EXPECT_EQ(line.substr(0, folder.size()), folder) << line;
    return line.substr(std::min(folder.size(), line.size()));
  }
  std::string refusal_of_header(const std::string& header, const std::string& data = "") {
    return refusal_of(file_of(header, data));
  }

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "a.safetensors";
};

TEST_F(SafetensorsTest, WritesTheBytesOfTheReferenceImplementation) {
  save_safetensors(path_,
                   {{"a", host_tensor<std::uint8_t>({1}, {7})},
                    {"b", host_tensor<float>({2}, {1, 2})},
                    {"c", host_tensor<std::int64_t>({}, {-1})},
                    {"d", host_tensor<float>({1, 0}, std::vector<float>())}},
                   {{"format", "pt"}});
  // 8-byte types first, then by name; padded with spaces to a multiple of 8.
  std::string header = R"({"__metadata__":{"format":"pt"},)"
                       R"("c":{"dtype":"I64","shape":[],"data_offsets":[0,8]},)"
                       R"("b":{"dtype":"F32","shape":[2],"data_offsets":[8,16]},)"
                       R"("d":{"dtype":"F32","shape":[1,0],"data_offsets":[16,16]},)"
                       R"("a":{"dtype":"U8","shape":[1],"data_offsets":[16,17]}})";
  header.append((8 - header.size() % 8) % 8, ' ');
  const std::string data("\xff\xff\xff\xff\xff\xff\xff\xff\x00\x00\x80\x3f\x00\x00\x00\x40\x07",
                         17);
  EXPECT_EQ(bytes_in(path_), file_of(header, data));
}

/// In time that grows with their number: with its square this would take minutes.
TEST_F(SafetensorsTest, ReadsVeryManyTensors) {
  std::string header, data;
  for (int i = 0; i < 100'000; ++i) {
    const std::string at = std::to_string(data.size());
    header += (i == 0 ? "{\"" : ",\"") + std::to_string(i) + "\":";
    data += static_cast<char>(i % 100);
    header += entry("U8", "[1]", "[" + at + "," + std::to_string(data.size()) + "]");
  }
  const SafetensorsFile file = read(file_of(header + "}", data));
  ASSERT_EQ(file.tensors.size(), 100'000u);
  EXPECT_EQ(file.tensors.at("73542").item(), 42);
}

TEST_F(SafetensorsTest, ReadsTheExampleOfTheFormat) {
  const SafetensorsFile file =
      read(file_of(R"({"test":{"dtype":"I32","shape":[2,2],"data_offsets":[0,16]}})",
                   std::string("\1\0\0\0\2\0\0\0\3\0\0\0\xff\xff\xff\xff", 16)));
  ASSERT_EQ(file.tensors.size(), 1u);
  EXPECT_TRUE(file.metadata.empty());
  const Tensor& tensor = file.tensors.at("test");
  EXPECT_EQ(tensor.shape(), (Dims{2, 2}));
  EXPECT_THAT(tensor.to_vector<std::int32_t>(), ElementsAre(1, 2, 3, -1));
}

TEST_F(SafetensorsTest, ReadsBackEveryType) {
  std::map<std::string, Tensor> tensors;
  for (int number = 1; number <= static_cast<int>(kLastDType); ++number) {
    const auto dtype = static_cast<DType>(number);
    const std::string name(name_of(dtype));
    const bool is_refused = name == "string" || name == "complex128" || bit_width(dtype) < 8 ||
                            name == "float8e8m0" || name.find("fnuz") != std::string::npos;
    if (dtype == DType::string) continue;
    std::string bytes(byte_size(dtype, 6), '\1');
    const Tensor tensor = host_tensor_from_bytes(
        dtype, {reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()}, {3, 2});
    if (!is_refused) {
      tensors[name] = tensor;
    } else {
      EXPECT_THAT(error_line([&] {
                    save_safetensors(path_, {{"x", tensor}});
                  }),
                  HasSubstr("tensor 'x': safetensors has no " + name + "; convert it first"));
    }
  }
  EXPECT_EQ(tensors.size(), 16u);
  save_safetensors(path_, tensors);
  const SafetensorsFile file = load_safetensors(path_);
  ASSERT_EQ(file.tensors.size(), tensors.size());
  for (const auto& [name, tensor] : file.tensors) {
    EXPECT_EQ(name_of(tensor.dtype()), name);
    EXPECT_EQ(tensor.shape(), (Dims{3, 2}));
    std::string bytes(tensor.size_bytes(), '\0');
    tensor.copy_to(bytes.data(), bytes.size());
    EXPECT_EQ(bytes, std::string(bytes.size(), '\1'));
    EXPECT_EQ(tensor.device().name(), "host");
  }
}

TEST_F(SafetensorsTest, KeepsMetadataAndNamesOfAnyText) {
  const Metadata metadata{{"q\"uote", "back\\slash\n\t\x01"}, {"\xc3\xa9", "\xf0\x9f\x98\x80"}};
  const std::string name = "l.0/\"w\"\xc3\xa9";
  save_safetensors(path_, {{name, host_tensor<float>({1}, {1})}}, metadata);
  const SafetensorsFile file = load_safetensors(path_);
  EXPECT_EQ(file.metadata, metadata);
  EXPECT_EQ(file.tensors.count(name), 1u);
  save_safetensors(path_, {});
  EXPECT_EQ(bytes_in(path_), file_of("{}      "));
  EXPECT_TRUE(load_safetensors(path_).tensors.empty());
}

TEST_F(SafetensorsTest, ReadsTensorsThatLieUnaligned) {
  const SafetensorsFile file = read(file_of(
      "{\"a\":" + entry("U8", "[1]", "[0,1]") + ",\"b\":" + entry("F32", "[1]", "[1,5]") + "}",
      std::string("\1\0\0\x80\x3f", 5)));
  EXPECT_EQ(file.tensors.at("b").item<float>(), 1);
}

TEST_F(SafetensorsTest, RefusesWhatIsNoSuchFile) {
  EXPECT_THAT(refusal_of(""), HasSubstr("a.safetensors: it has 0 bytes"));
  EXPECT_THAT(refusal_of("PK\3\4 is some other file"), HasSubstr("longer than the 100 MB"));
  EXPECT_THAT(refusal_of(file_of("{}").substr(0, 9)), HasSubstr("cut short inside its header"));
  EXPECT_THAT(refusal_of_header(""), HasSubstr("does not begin with {"));
  EXPECT_THAT(refusal_of_header(" {}"), HasSubstr("does not begin with {"));
  EXPECT_THAT(error_line([&] { load_safetensors(folder_.path() / "none"); }),
              HasSubstr("none: cannot read it: No such file"));
}

TEST_F(SafetensorsTest, RefusesAHeaderLongerThanTheFormatAllows) {
  std::string bytes(8, '\0');
  const std::uint64_t length = 100'000'001;
  std::memcpy(bytes.data(), &length, 8);
  EXPECT_THAT(refusal_of(bytes), HasSubstr("100000001 bytes is longer than the 100 MB"));
}

TEST_F(SafetensorsTest, RefusesBadJson) {
  EXPECT_THAT(refusal_of_header("{"), HasSubstr("not JSON in UTF-8"));
  EXPECT_THAT(refusal_of_header("{}x"), HasSubstr("not JSON in UTF-8"));
  EXPECT_THAT(refusal_of_header("{\"\xff\":1}"), HasSubstr("not JSON in UTF-8"));
  EXPECT_THAT(refusal_of_header("{\"\\ud800\":1}"), HasSubstr("not JSON in UTF-8"));
  const std::string one = entry("U8", "[0]", "[0,0]");
  EXPECT_THAT(refusal_of_header("{\"a\":" + one + ",\"a\":" + one + "}"),
              HasSubstr("has the key 'a' twice"));
  // Each of these bytes would take forty of memory.
  EXPECT_THAT(refusal_of_header("{\"a\":" + std::string(1'000'000, '[')),
              HasSubstr("its header nests deeper than the format"));
  std::string numbers = "0";
  for (int i = 0; i < 4'000'000; ++i) numbers += ",0";
  EXPECT_THAT(refusal_of_header("{\"a\":{\"shape\":[" + numbers + "]}}"),
              HasSubstr("its header holds more than any real one"));
  EXPECT_LE(refusal_of_header("{\"a\":1,\"" + std::string(200'000, 'b')).size(), 4096u);
  EXPECT_THAT(refusal_of_header(R"({"a":{"dtype":"U8","dtype":"I8"}})"),
              HasSubstr("has the key 'dtype' twice"));
  // The same key in two objects is not a duplicate.
  EXPECT_EQ(read(file_of("{\"a\":" + one + ",\"b\":" + one + "}")).tensors.size(), 2u);
}

TEST_F(SafetensorsTest, RefusesBadEntries) {
  const auto of = [&](const std::string& value) {
    return refusal_of_header("{\"t\":" + value + "}");
  };
  EXPECT_THAT(of("1"), HasSubstr("tensor 't': its entry in the header is not an object"));
  EXPECT_THAT(of("{}"), HasSubstr("it has no dtype"));
  EXPECT_THAT(of(R"({"dtype":1})"), HasSubstr("its dtype is not a text"));
  EXPECT_THAT(of(R"({"dtype":"F32","more":1})"), HasSubstr("knows no 'more' of a tensor"));
  EXPECT_THAT(of(entry("F33", "[1]", "[0,4]")), HasSubstr("its dtype 'F33' is not read"));
  EXPECT_THAT(of(entry("F32", "1", "[0,4]")), HasSubstr("its shape is not a list"));
  EXPECT_THAT(of(entry("F32", "[-1]", "[0,4]")),
              HasSubstr("its shape holds what is not an integer"));
  EXPECT_THAT(of(entry("F32", "[1.0]", "[0,4]")),
              HasSubstr("its shape holds what is not an integer"));
  EXPECT_THAT(of(entry("F32", "[1]", "[0]")), HasSubstr("are not a begin and an end"));
  EXPECT_THAT(of(entry("F32", "[1]", "[4,0]")), HasSubstr("[4, 0] are not a begin and an end"));
  EXPECT_THAT(of(entry("F32", "[2]", "[0,4]")),
              HasSubstr("float32 of shape [2] takes 8 bytes, but its data_offsets hold 4"));
  EXPECT_THAT(of(entry("U8", "[4294967296,4294967296]", "[0,0]")), HasSubstr("more elements than"));
  EXPECT_THAT(of(entry("U8", "[18446744073709551615]", "[0,1]")), HasSubstr("more elements than"));
  EXPECT_THAT(of(entry("U8", "[9223372036854775807,0,8]", "[0,0]")), HasSubstr("more elements"));
  EXPECT_THAT(refusal_of_header(R"({"__metadata__":{"a":1}})"),
              HasSubstr("under 'a' what is not a text"));
  EXPECT_THAT(refusal_of_header(R"({"__metadata__":[]})"),
              HasSubstr("__metadata__ is not an object"));
  EXPECT_THAT(refusal_of_header("{\"t\":" + entry("BOOL", "[2]", "[0,2]") + "}", "\1\2"),
              HasSubstr("tensor 't': it holds a bool that is neither 0 nor 1"));
}

TEST_F(SafetensorsTest, RefusesOverlapsHolesAndOtherLengths) {
  const auto two = [&](const std::string& first, const std::string& second) {
    return refusal_of_header(
        "{\"a\":" + entry("U8", "[4]", first) + ",\"b\":" + entry("U8", "[4]", second) + "}",
        "12345678");
  };
  EXPECT_THAT(two("[0,4]", "[3,7]"), HasSubstr("tensor 'b': its bytes begin at 3, those before it "
                                               "end at 4: they overlap"));
  EXPECT_THAT(two("[0,4]", "[0,4]"), HasSubstr("they overlap"));
  EXPECT_THAT(two("[0,4]", "[5,9]"), HasSubstr("there is a hole"));
  EXPECT_THAT(two("[1,5]", "[5,9]"), HasSubstr("tensor 'a': its bytes begin at 1"));
  const std::string header = "{\"a\":" + entry("U8", "[4]", "[0,4]") + "}";
  EXPECT_THAT(refusal_of_header(header, "123"), HasSubstr("take 4 bytes, but 3 follow"));
  EXPECT_THAT(refusal_of_header(header, "12345"), HasSubstr("take 4 bytes, but 5 follow"));
  EXPECT_THAT(refusal_of_header(header, "123"), HasSubstr("it is cut short"));
}

TEST_F(SafetensorsTest, SurvivesAnyWrongByteAndAnyLength) {
  save_safetensors(path_,
                   {{"weight", host_tensor<float>({2, 2}, {1, 2, 3, 4})},
                    {"flag", host_tensor<std::uint8_t>({1}, {1})}},
                   {{"k", "v"}});
  const std::string whole = bytes_in(path_);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_NE(refusal_of(whole.substr(0, size)), "") << size;
  }
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const char wrong : {'\0', '"', '}', '9', '\xff'}) {
      std::string bytes = whole;
      bytes[at] = wrong;
      try {
        read(bytes);
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::model);
      }
    }
  }
}

TEST_F(SafetensorsTest, RefusesToWriteWhatNobodyCouldRead) {
  const Tensor one = host_tensor<float>({1}, {1});
  EXPECT_THAT(error_line([&] {
                save_safetensors(path_, {{"__metadata__", one}});
              }),
              HasSubstr("the format keeps this name"));
  EXPECT_THAT(error_line([&] {
                save_safetensors(path_, {{"a", Tensor()}});
              }),
              HasSubstr("tensor 'a': it holds nothing"));
  EXPECT_THAT(error_line([&] {
                save_safetensors(path_, {{"\xff", one}});
              }),
              HasSubstr("not UTF-8"));
  EXPECT_FALSE(exists(path_));
}

TEST_F(SafetensorsTest, LosesNothingWhenASaveFails) {
  const Tensor one = host_tensor<float>({1}, {1});
  save_safetensors(path_, {{"a", one}});
  const std::string before = bytes_in(path_);
  EXPECT_THAT(error_line([&] {
                save_safetensors(folder_.path() / "no" / "f", {{"a", one}});
              }),
              HasSubstr("no/f: cannot write it: No such file"));
  EXPECT_THAT(error_line([&] {
                save_safetensors(path_, {{"a", one}}, {{"k", "\xff"}});
              }),
              HasSubstr("not UTF-8"));
  EXPECT_EQ(bytes_in(path_), before);
  const std::filesystem::directory_iterator files(folder_.path());
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);  // and leaves nothing behind
}

}  // namespace
}  // namespace switchyard

// Tensors as text: what PyTorch printed, in print_golden.txt, and what it has no word for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <switchyard/defaults.hpp>
#include <switchyard/functions.hpp>
#include <switchyard/print.hpp>
#include <vector>

#include "io/host_value.hpp"
#include "ops/scalar_literal.hpp"
#include "tensor/host_tensor.hpp"
#include "tensor/test_runtime.hpp"
#include "test_folders.hpp"

namespace switchyard {
namespace {

struct GoldenCase {
  std::string name;
  DType dtype = DType::undefined;
  Dims shape;
  std::string data;  // "data HEX" or "count START STEP"
  std::string text;
};

std::string after(const std::string& line, const std::string& word) {
  EXPECT_EQ(line.substr(0, word.size()), word);
  return line.size() > word.size() ? line.substr(word.size() + 1) : "";
}

GoldenCase read_case(const std::string& first, std::istream& file) {
  GoldenCase result;
  result.name = after(first, "case");
  std::string line;
  std::getline(file, line);
  result.dtype = dtype_named(after(line, "dtype")).value_or(DType::undefined);
  std::getline(file, line);
  std::istringstream extents(after(line, "shape"));
  for (std::int64_t extent = 0; extents >> extent;) result.shape.push_back(extent);
  std::getline(file, result.data);
  while (std::getline(file, line) && line != "end") {
    result.text += (result.text.empty() ? "" : "\n") + line;
  }
  return result;
}

std::vector<GoldenCase> golden_cases() {
  std::ifstream file(std::string(SWITCHYARD_SOURCE_DIR) + "/tests/unit/io/print_golden.txt");
  std::vector<GoldenCase> cases;
  for (std::string line; std::getline(file, line);) cases.push_back(read_case(line, file));
  return cases;
}

std::string bytes_of_hex(const std::string& hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  }
  return bytes;
}

template <typename T>
void append(std::string& bytes, double value) {
  const T element = static_cast<T>(value);
  bytes.append(reinterpret_cast<const char*>(&element), sizeof(T));
}

std::string counted_bytes(const GoldenCase& golden) {
  std::istringstream numbers(after(golden.data, "count"));
  double start = 0, step = 0;
  numbers >> start >> step;
  std::string bytes;
  for (std::int64_t i = 0; i < element_count(golden.shape); ++i) {
    const double value = static_cast<double>(i) * step + start;
    switch (golden.dtype) {
      case DType::float32: append<float>(bytes, value); break;
      case DType::float64: append<double>(bytes, value); break;
      case DType::uint8: append<std::uint8_t>(bytes, value); break;
      case DType::int16: append<std::int16_t>(bytes, value); break;
      case DType::int32: append<std::int32_t>(bytes, value); break;
      default: append<std::int64_t>(bytes, value);
    }
  }
  return bytes;
}

TEST(PrintTest, LooksLikePyTorch) {
  const std::vector<GoldenCase> cases = golden_cases();
  EXPECT_GT(cases.size(), 90u);
  for (const GoldenCase& golden : cases) {
    SCOPED_TRACE(golden.name);
    const std::string bytes = golden.data.substr(0, 4) == "data"
                                  ? bytes_of_hex(after(golden.data, "data"))
                                  : counted_bytes(golden);
    const Tensor tensor = host_tensor_from_bytes(
        golden.dtype, {reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()},
        golden.shape);
    EXPECT_EQ(to_string(tensor), golden.text);
  }
}

TEST(PrintTest, HasWordsForTypesThatPyTorchPrintsOtherwise) {
  EXPECT_EQ(to_string(host_tensor<std::uint64_t>({1}, {UINT64_MAX})),
            "tensor([18446744073709551615], dtype=uint64)");
  const std::uint8_t nibbles[] = {0xf7, 0x08};
  EXPECT_EQ(to_string(host_tensor_from_bytes(
                DType::int4, {reinterpret_cast<const std::byte*>(nibbles), 2}, {3})),
            "tensor([ 7, -1, -8], dtype=int4)");
  const std::uint8_t one = 0x38;
  EXPECT_EQ(to_string(host_tensor_from_bytes(DType::float8e4m3fn,
                                             {reinterpret_cast<const std::byte*>(&one), 1}, {})),
            "tensor(1., dtype=float8e4m3fn)");
  EXPECT_EQ(to_string(host_texts({2}, {"a", "bcd"})), "tensor([  'a', 'bcd'], dtype=string)");
}

TEST(PrintTest, CutsNibblesAndTextsToo) {
  const std::vector<std::uint8_t> nibbles(600, 0x21);
  EXPECT_EQ(to_string(host_tensor_from_bytes(
                DType::uint4, {reinterpret_cast<const std::byte*>(nibbles.data()), 600}, {1200})),
            "tensor([1, 2, 1,  ..., 2, 1, 2], dtype=uint4)");
  std::vector<std::string> texts(1001, "x");
  texts.back() = "y";
  EXPECT_EQ(to_string(host_texts({1001}, texts)),
            "tensor(['x', 'x', 'x',  ..., 'x', 'x', 'y'], dtype=string)");
}

/// Views of a few elements that show them more often than memory could hold.
TEST(PrintTest, CopiesWhatIsShownAlone) {
  const Runtime runtime = start({{"cpu"}});
  const RuntimeScope scope(runtime);
  const Tensor x = arange(12).to(DType::float32);
  const std::int64_t many = std::int64_t{1} << 40;
  EXPECT_EQ(to_string(as_strided(x, {many}, {0}, 3)),
            "tensor([3., 3., 3.,  ..., 3., 3., 3.], device='cpu:0')");
  EXPECT_EQ(to_string(as_strided(x, {2, many}, {1, 0})),
            "tensor([[0., 0., 0.,  ..., 0., 0., 0.],\n"
            "        [1., 1., 1.,  ..., 1., 1., 1.]], device='cpu:0')");
  EXPECT_EQ(to_string(expand(x.select(0, 5), {64, many}).select(0, 7)),
            "tensor([5., 5., 5.,  ..., 5., 5., 5.], device='cpu:0')");
}

TEST(PrintTest, SummarisesStridedTensorsOfDevicesAsThoseOfTheHost) {
  const Runtime runtime = start({{"cpu"}});
  const RuntimeScope scope(runtime);
  const Tensor x = permute(reshape(arange(13 * 7 * 3 * 11), {13, 7, 1, 3, 11}), {4, 2, 1, 3, 0});
  const Tensor part = slice(slice(x, 0, 1, 10), 4, 2, 13, 2);
  const std::vector<std::int64_t> elements = part.contiguous().to_vector<std::int64_t>();
  std::string text = to_string(part);
  text.replace(text.find(", device='cpu:0'"), 16, "");
  EXPECT_EQ(text, to_string(host_tensor(part.shape(), elements)));
}

TEST(PrintTest, ShowsNothingOfWhatHasTooManyEdges) {
  const Runtime runtime = start({{"cpu"}});
  const RuntimeScope scope(runtime);
  const Tensor x = as_strided(ones({1}), Dims::filled(24, 2), Dims::filled(24, 0));
  EXPECT_EQ(to_string(x),
            "tensor(..., device='cpu:0',\n"
            "       size=(2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, "
            "2, 2, 2, 2))");
}

TEST(PrintTest, WritesToAStream) {
  std::ostringstream stream;
  stream << host_tensor<float>({2}, {1, 2}) << ' ' << Tensor();
  EXPECT_EQ(stream.str(), "tensor([1., 2.]) tensor()");
  stream.str({});
  stream << Dims{2, -3} << Dims{} << ' ' << DType::bfloat16;
  EXPECT_EQ(stream.str(), "[2, -3][] bfloat16");
}

}  // namespace
}  // namespace switchyard

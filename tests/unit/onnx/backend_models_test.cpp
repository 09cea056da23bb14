// Every model of ONNX's backend tests is read, but for those whose ops are beyond the contract.
#include <algorithm>
#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "onnx/files/value_file.hpp"
#include "onnx/small_models.hpp"

namespace switchyard {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFolder = "/usr/share/libonnx-testdata/data";

bool is_beyond(const std::string& refusal) {
  constexpr const char* kReasons[] = {
      "of 'ai.onnx.preview.training'",    // training ops have a domain of their own
      "of 'ai.onnx.ml'",                  // so has classical machine learning
      "the op 'ImageDecoder'",            // decodes files of pictures
      "(Scan): is read from opset 9 on",  // Scan 8 works on batches
      "the Scan that makes 'y': is read from opset 9 on",
      " string",  // casts from and to text
  };
  return std::any_of(std::begin(kReasons), std::end(kReasons),
                     [&](const char* reason) { return refusal.find(reason) != std::string::npos; });
}

std::vector<fs::path> models() {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::recursive_directory_iterator(kFolder)) {
    if (entry.path().extension() == ".onnx") paths.push_back(entry.path());
  }
  return paths;
}

void read_values(const fs::path& model, const ModelFile& file) {
  const fs::path data = model.parent_path() / "test_data_set_0";
  for (std::size_t i = 0; i < file.graph.inputs.size(); ++i) {
    const fs::path path = data / ("input_" + std::to_string(i) + ".pb");
    if (!fs::exists(path)) continue;
    const Value& declared = input(file.graph, i);
    const StoredValue value = read_value_pb(path, declared);
    EXPECT_EQ(value.kind, declared.kind) << path;
    for (const Literal& tensor : value.tensors) {
      // numpy has no bfloat16, so that these files hold its bits as uint16.
      const bool is_bits = declared.dtype == DType::bfloat16 && tensor.dtype() == DType::uint16;
      EXPECT_TRUE(is_bits || tensor.dtype() == declared.dtype) << path;
    }
  }
}

TEST(BackendModelsTest, AreReadWithTheirData) {
  if (!fs::exists(kFolder)) {
    const char* required = std::getenv("SWITCHYARD_REQUIRE_DATA");
    ASSERT_FALSE(required && std::string(required) == "1") << kFolder << " is absent";
    GTEST_SKIP() << kFolder << " is absent; install libonnx-testdata";
  }
  std::size_t read_models = 0;
  const std::vector<fs::path> paths = models();
  for (const fs::path& path : paths) {
    try {
      const ModelFile file = read_model(path);
      ++read_models;
      for (const ValueId id : file.graph.outputs) {
        EXPECT_NE(file.graph.values[id].dtype, DType::undefined) << path;
      }
      read_values(path, file);
    } catch (const Error& error) {
      EXPECT_TRUE(is_beyond(error.what())) << error.what();
    }
  }
  EXPECT_GE(read_models, 1050u);
  RecordProperty("read", static_cast<int>(read_models));
  RecordProperty("refused", static_cast<int>(paths.size() - read_models));
}

}  // namespace
}  // namespace switchyard

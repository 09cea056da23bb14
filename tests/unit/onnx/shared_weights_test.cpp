// Weights of a model file that is loaded more than once: devices hold them once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <ctime>
#include <fstream>
#include <memory>
#include <optional>
#include <switchyard/defaults.hpp>
#include <switchyard/functions.hpp>
#include <switchyard/model.hpp>
#include <thread>
#include <vector>

#include "onnx/model_state.hpp"
#include "onnx/small_models.hpp"
#include "temporary_folder.hpp"
#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

constexpr std::int64_t kElements = 1 << 16;
constexpr std::size_t kWeightBytes = kElements * sizeof(float);

/// A file of y = x + w whose weights lie in it at an address that is no multiple of 4, where
/// `name` is as long as that needs.
class WeightFile {
 public:
  explicit WeightFile(const std::string& name, float value = 1)
      : path_(folder_->path() / "m.onnx") {
    onnx::ModelProto model = model_of("g (float[65536] x) => (float[65536] y) { y = Add (x, w) }");
    model.graph->name += name;
    onnx::TensorProto& weight = model.graph->initializer.emplace_back();
    weight.name = "w";
    weight.data_type = 1;
    weight.dims.push_back(kElements);
    std::string bytes(kWeightBytes, '\0');
    for (std::size_t i = 0; i < bytes.size(); i += sizeof value) {
      std::memcpy(bytes.data() + i, &value, sizeof value);
    }
    weight.raw_data = onnx::SharedBytes::of(std::move(bytes));
    std::ofstream(path_, std::ios::binary) << onnx::encode(model);
  }

  /// Until no further change could have the time of the last.
  void settle() const {
    const std::time_t written = std::time(nullptr);
    while (std::time(nullptr) - written <= 3) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::unique_ptr<TemporaryFolder> folder_ = std::make_unique<TemporaryFolder>();
  std::filesystem::path path_;
};

float first_result(const Runtime& runtime, const Model& model) {
  const RuntimeScope scope(runtime);
  return model.run({{"x", zeros({kElements})}})[0].tensor.select(0, 0).item<float>();
}

std::size_t used(const Runtime& runtime) { return runtime.default_device().memory().used_bytes; }

/// In one of four the weights lie where floats may lie, in the others they are copied.
const std::vector<WeightFile>& files_of_any_address() {
  static const std::vector<WeightFile> files = [] {
    std::vector<WeightFile> made;
    for (const char* name : {"", "a", "ab", "abc"}) made.emplace_back(name);
    made.back().settle();
    return made;
  }();
  return files;
}

/// A device with memory of its own.
Runtime with_device() { return start({{"good", "cpu"}}); }

TEST(SharedWeights, OfTwoModelsLieOnADeviceOnce) {
  for (const WeightFile& file : files_of_any_address()) {
    const Runtime runtime = with_device();
    std::optional<Model> first = Model::load(runtime, file.path());
    EXPECT_EQ(first_result(runtime, *first), 1);
    EXPECT_GE(used(runtime), kWeightBytes);
    std::optional<Model> second = Model::load(runtime, file.path());
    EXPECT_EQ(first_result(runtime, *second), 1);
    EXPECT_LT(used(runtime), 2 * kWeightBytes);
    first.reset();
    EXPECT_EQ(first_result(runtime, *second), 1) << "whoever made the copy has gone";
    second.reset();
    EXPECT_LT(used(runtime), kWeightBytes) << "the last user has gone";
  }
}

TEST(SharedWeights, OfTwoRuntimesAreOneConstantWithOneNumber) {
  for (const WeightFile& file : files_of_any_address()) {
    const Runtime one = with_device(), other = with_device();
    std::optional<Model> first = Model::load(one, file.path());
    const Model second = Model::load(other, file.path());
    const TensorRef of_first = first->state()->plan->constants[0].second;
    const TensorRef of_second = second.state()->plan->constants[0].second;
    EXPECT_EQ(of_first->host, of_second->host) << "the host has it once";
    EXPECT_EQ(of_first->constant_id, of_second->constant_id) << "and what plugins make of it";
    EXPECT_EQ(first_result(one, *first), 1);
    EXPECT_EQ(first_result(other, second), 1);
    first.reset();
    EXPECT_LT(used(one), kWeightBytes) << "a runtime's copy goes with its last model";
    EXPECT_EQ(first_result(other, second), 1);
  }
}

TEST(SharedWeights, AreGivenBackWhereTheCacheIsBounded) {
  const WeightFile file("");
  std::string config = config_text({{"good", "cpu"}});
  config.insert(config.find("[routing]"), "cache_limit = \"64KiB\"\n");
  const Runtime runtime = Runtime::from_text(config);
  EXPECT_EQ(first_result(runtime, Model::load(runtime, file.path())), 1);
  EXPECT_LE(runtime.default_device().memory().cached_bytes, std::size_t{64} << 10);
}

TEST(SharedWeights, AreNewWhereTheFileChanged) {
  const Runtime runtime = with_device();
  const WeightFile file("", 1), changed("", 2);
  const Model first = Model::load(runtime, file.path());
  EXPECT_EQ(first_result(runtime, first), 1);
  std::filesystem::rename(changed.path(), file.path());
  EXPECT_EQ(first_result(runtime, Model::load(runtime, file.path())), 2);
  EXPECT_EQ(first_result(runtime, first), 1) << "the old file stays mapped";
}

TEST(SharedWeights, ServeManyThreadsOfManyRuntimes) {
  const WeightFile& file = files_of_any_address()[1];
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 3; ++i) {
        const Runtime runtime = with_device();
        EXPECT_EQ(first_result(runtime, Model::load(runtime, file.path())), 1);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace switchyard

// Tensors in files beside the model, and ways to lead the reader elsewhere.
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "onnx/small_models.hpp"
#include "temporary_folder.hpp"

namespace switchyard {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

namespace fs = std::filesystem;

void set(onnx::TensorProto& tensor, const std::string& key, const std::string& value) {
  for (auto& entry : tensor.external_data) {
    if (entry.key != key) continue;
    entry.value = value;
    return;
  }
  auto& entry = tensor.external_data.emplace_back();
  entry.key = key;
  entry.value = value;
}

class ExternalDataTest : public testing::Test {
 protected:
  ExternalDataTest() {
    fs::create_directory(home());
    model_.graph->initializer.emplace_back();
    const float values[] = {1, 2, 3, 4};
    write(home() / "w.bin", std::string(reinterpret_cast<const char*>(values), sizeof values));
    weight().data_type = 1;
    weight().name = "w";
    weight().dims.push_back(2);
    weight().data_location = onnx::TensorProto::EXTERNAL;
    set("location", "w.bin");
  }

  static void write(const fs::path& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
  }
  fs::path home() const { return folder_.path() / "model"; }
  onnx::TensorProto& weight() { return model_.graph->initializer[0]; }
  void set(const std::string& key, const std::string& value) {
    switchyard::set(weight(), key, value);
  }
  Literal literal() { return *output(read(model_, home()).graph, 0).constant; }
  std::string refused() { return refusal(model_, home()); }

  TemporaryFolder folder_;
  onnx::ModelProto model_ = model_of("g () => (float[2] w) { }");
};

TEST_F(ExternalDataTest, ReadsARangeAndKeepsItMapped) {
  set("offset", "8");
  set("length", "8");
  const Literal first = literal();
  fs::remove(home() / "w.bin");
  EXPECT_THAT(first.values<float>(), ElementsAre(3, 4));
}

TEST_F(ExternalDataTest, MapsAFileOnceForAllItsTensors) {
  onnx::TensorProto second = weight();
  second.name = "v";
  switchyard::set(second, "offset", "8");
  model_.graph->initializer.push_back(second);
  const ModelFile file = read(model_, home());
  EXPECT_EQ(file.graph.values[0].constant->bytes() + 8, file.graph.values[1].constant->bytes());
}

TEST_F(ExternalDataTest, CopiesWhatLiesAtAnOddAddress) {
  write(home() / "w.bin", std::string("\0\0\0\x80\x3f\0\0\0\x40", 9));
  set("offset", "1");
  EXPECT_THAT(literal().values<float>(), ElementsAre(1, 2));
}

TEST_F(ExternalDataTest, ReadsFilesInFoldersBelow) {
  fs::create_directory(home() / "data");
  fs::rename(home() / "w.bin", home() / "data" / "w.bin");
  set("location", "data/w.bin");
  EXPECT_THAT(literal().values<float>(), ElementsAre(1, 2));
}

TEST_F(ExternalDataTest, TakesTensorsWithoutElements) {
  weight().dims[0] = 0;
  EXPECT_EQ(literal().size(), 0);
}

TEST_F(ExternalDataTest, FindsFilesBesideAModelThatIsAFile) {
  write(home() / "m.onnx", onnx::encode(model_));
  EXPECT_THAT(output(read_model(home() / "m.onnx").graph, 0).constant->values<float>(),
              ElementsAre(1, 2));
}

TEST_F(ExternalDataTest, RefusesRangesOutsideTheFile) {
  set("offset", "12");
  EXPECT_THAT(refused(), HasSubstr("initializer 'w': its data end behind the 16 bytes"));
  set("offset", "18446744073709551615");
  EXPECT_THAT(refused(), HasSubstr("end behind"));
  set("offset", "-4");
  EXPECT_THAT(refused(), HasSubstr("the 'offset' of its external data is '-4', no number"));
  set("offset", "0");
  set("length", "4");
  EXPECT_THAT(refused(), HasSubstr("takes 8 bytes, but it holds 4"));
}

TEST_F(ExternalDataTest, RefusesPathsOutOfTheFolder) {
  write(folder_.path() / "secret", std::string(8, 'x'));
  for (const std::string& location :
       {std::string("../secret"), (folder_.path() / "secret").string(),
        std::string("a/../../secret"), std::string(), std::string("..")}) {
    set("location", location);
    EXPECT_THAT(refused(), HasSubstr("is not a path inside the model's folder")) << location;
  }
}

TEST_F(ExternalDataTest, RefusesLinksOutOfTheFolder) {
  write(folder_.path() / "secret", std::string(8, 'x'));
  fs::create_symlink(folder_.path() / "secret", home() / "link");
  set("location", "link");
  EXPECT_THAT(refused(), HasSubstr("a link out of the model's folder"));
  fs::create_directory_symlink(folder_.path(), home() / "up");
  set("location", "up/secret");
  EXPECT_THAT(refused(), HasSubstr("a link out of the model's folder"));
  fs::create_symlink(home() / "w.bin", home() / "inside");
  set("location", "inside");
  EXPECT_EQ(refused(), "");
}

TEST_F(ExternalDataTest, RefusesWhatIsNoFile) {
  set("location", "none.bin");
  EXPECT_THAT(refused(), HasSubstr("No such file"));
  fs::create_directory(home() / "folder");
  set("location", "folder");
  EXPECT_THAT([&] { read(model_, home()); },
              testing::ThrowsMessage<Error>(HasSubstr("Is a directory")));
}

TEST_F(ExternalDataTest, RefusesExternalDataOfAModelFromMemory) {
  EXPECT_THAT(refusal(model_), HasSubstr("a model from memory has no folder"));
}

}  // namespace
}  // namespace switchyard

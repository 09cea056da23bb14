// What a model file is as a whole: versions, imports, inputs, outputs, files that are none.
#include "onnx/model_file.hpp"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "onnx/small_models.hpp"
#include "temporary_folder.hpp"

namespace switchyard {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::string_view kRelu = "g (float[N,3] x) => (float[N,3] y) { y = Relu (x) }";

TEST(ModelFileTest, ReadsAModelAndWhatItSaysAboutItself) {
  onnx::ModelProto model = model_of(kRelu);
  model.producer_name = "tests";
  model.producer_version = "1.2";
  model.domain = "org.example";
  model.model_version = 3;
  model.doc_string = "a relu";
  auto& entry = model.metadata_props.emplace_back();
  entry.key = "author";
  entry.value = "me";
  const ModelFile file = read(model);
  EXPECT_EQ(file.ir_version, 8);
  EXPECT_EQ(file.opset_imports.at(""), 17);
  EXPECT_EQ(file.producer, "tests");
  EXPECT_EQ(file.producer_version, "1.2");
  EXPECT_EQ(file.domain, "org.example");
  EXPECT_EQ(file.model_version, 3);
  EXPECT_EQ(file.description, "a relu");
  EXPECT_EQ(file.metadata.at("author"), "me");
  EXPECT_EQ(file.graph.name, "g");
  EXPECT_EQ(ops_of(file.graph), "Relu");
  EXPECT_EQ(file.graph.nodes[0].name, "Relu_0");
}

TEST(ModelFileTest, KeepsInputsWithTheirSymbolicExtents) {
  const ModelFile file = read(kRelu);
  ASSERT_EQ(file.graph.inputs.size(), 1u);
  const Value& x = input(file.graph, 0);
  EXPECT_EQ(x.name, "x");
  EXPECT_EQ(x.dtype, DType::float32);
  EXPECT_EQ(x.shape, (Dims{kUnknown, 3}));
  EXPECT_THAT(x.dim_names, ElementsAre("N", ""));
  const Value& y = output(file.graph, 0);
  EXPECT_EQ(y.name, "y");
  EXPECT_EQ(y.dtype, DType::float32);
  EXPECT_EQ(y.shape, (Dims{kUnknown, 3}));
}

TEST(ModelFileTest, TakesAnInputWithAnInitializerForAConstant) {
  const ModelFile file = read(
      "g (float[2] x, float[2] w) => (float[2] y) <float[2] w = {1.0, 2.0}> { y = Add (x, w) }");
  EXPECT_THAT(file.default_inputs, ElementsAre("w"));
  ASSERT_EQ(file.graph.inputs.size(), 1u);
  const Value& w = input(file.graph, file.graph.nodes[0], 1);
  ASSERT_TRUE(w.constant.has_value());
  EXPECT_THAT(w.constant->values<float>(), ElementsAre(1.0f, 2.0f));
}

TEST(ModelFileTest, ReadsNodesInAnyOrder) {
  const ModelFile file =
      read("g (float[2] x) => (float[2] z) { z = Neg (y) \n y = Abs (w) \n w = Relu (x) }");
  EXPECT_EQ(ops_of(file.graph), "Relu Abs Neg");
}

TEST(ModelFileTest, GivesOutputsThatAreInputsOrConstants) {
  const ModelFile file = read("g (float[2] x) => (float[2] x, int64 c) <int64 c = {7}> { }");
  EXPECT_EQ(file.graph.outputs[0], file.graph.inputs[0]);
  EXPECT_EQ(output(file.graph, 1).constant->to_int64s(), std::vector<std::int64_t>{7});
}

TEST(ModelFileTest, IgnoresImportsOfDomainsThatNoNodeUses) {
  onnx::ModelProto model = model_of(kRelu);
  add_import(model, "com.microsoft", 1);
  EXPECT_EQ(refusal(model), "");
}

TEST(ModelFileTest, TreatsAiOnnxAsTheDefaultDomain) {
  onnx::ModelProto model = model_of(kRelu);
  model.opset_import[0].domain = "ai.onnx";
  model.graph->node[0].domain = "ai.onnx";
  EXPECT_EQ(refusal(model), "");
}

TEST(ModelFileTest, ReadsFilesOlderThanImports) {
  onnx::ModelProto model = model_of("g (float[2] x) => (float[2] y) { y = Neg (x) }", 1, 1);
  model.opset_import.clear();
  EXPECT_EQ(read(model).opset_imports.at(""), 1);
}

TEST(ModelFileTest, RefusesVersionsThatItDoesNotKnow) {
  EXPECT_EQ(refusal(model_of(kRelu, 21, 10)), "");
  EXPECT_THAT(refusal(model_of(kRelu, 27, 14)), StartsWith("m.onnx: it has IR version 14"));
  EXPECT_THAT(refusal(kRelu, 28), HasSubstr("the default domain in version 28"));
  EXPECT_THAT(refusal(kRelu, 0), HasSubstr("the default domain in version 0"));
  onnx::ModelProto model = model_of(kRelu);
  model.opset_import.clear();
  EXPECT_THAT(refusal(model), HasSubstr("without importing"));
  add_import(model, "", 13);
  add_import(model, "ai.onnx", 14);
  EXPECT_THAT(refusal(model), HasSubstr("in version 13 and in version 14"));
}

TEST(ModelFileTest, RefusesWhatIsNoModel) {
  const auto refuse_bytes = [](const std::string& bytes) -> std::string {
    try {
      read_model_bytes(bytes_of(bytes), {}, "m.onnx");
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_THAT(refuse_bytes(""), HasSubstr("not a valid ONNX model"));
  EXPECT_THAT(refuse_bytes("hello, world"), HasSubstr("not a valid ONNX model"));
  EXPECT_THAT(refuse_bytes(std::string(100, '\0')), HasSubstr("not a valid ONNX model"));
  onnx::ModelProto model = model_of(kRelu);
  model.graph->output.clear();
  EXPECT_THAT(refusal(model), HasSubstr("no outputs"));
}

TEST(ModelFileTest, RefusesFilesThatCannotBeRead) {
  const TemporaryFolder folder;
  const auto refuse_file = [](const std::filesystem::path& path) -> std::string {
    try {
      read_model(path);
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_THAT(refuse_file(folder.path() / "none.onnx"),
              HasSubstr("none.onnx: cannot read it: No such"));
  EXPECT_THAT(refuse_file(folder.path()), HasSubstr("Is a directory"));
  std::ofstream(folder.path() / "empty.onnx").close();
  EXPECT_THAT(refuse_file(folder.path() / "empty.onnx"), HasSubstr("the file is empty"));
  std::ofstream(folder.path() / "m.onnx") << onnx::encode(model_of(kRelu));
  EXPECT_EQ(refuse_file(folder.path() / "m.onnx"), "");
}

TEST(ModelFileTest, RefusesTypesThatNoValueCanHave) {
  onnx::ModelProto model = model_of(kRelu);
  onnx::TypeProto& type = *model.graph->input[0].type;
  type = {};
  type.map_type.emplace();
  EXPECT_THAT(refusal(model), HasSubstr("input 'x': value 'x': its type is a map"));
  type = {};
  type.sparse_tensor_type.emplace().elem_type = 1;
  EXPECT_THAT(refusal(model), HasSubstr("sparse tensor"));
  type = {};
  type.tensor_type.emplace().elem_type = 99;
  EXPECT_THAT(refusal(model), HasSubstr("number 99"));
}

TEST(ModelFileTest, UsesDeclaredTypesOnlyWhereTheyAgree) {
  onnx::ModelProto model =
      model_of("g (float[] x, int64[] s) => (float[2,3] y) { r = Reshape (x, s) \n y = Relu (r) }");
  EXPECT_EQ(output(read(model).graph, 0).shape, (Dims{kUnknown, kUnknown}));
  model.graph->output[0].type->tensor_type->elem_type = 7;
  EXPECT_THAT(refusal(model),
              HasSubstr("output 'y': it is declared as tensor(int64), but the graph "
                        "makes tensor(float32)"));
}

}  // namespace
}  // namespace switchyard

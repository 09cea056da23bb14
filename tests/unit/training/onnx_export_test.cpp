// Exported networks, read back by the host's own reader.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <switchyard/autograd.hpp>
#include <switchyard/defaults.hpp>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>
#include <switchyard/model.hpp>
#include <switchyard/onnx_export.hpp>

#include "functions/creation/new_tensor.hpp"
#include "temporary_folder.hpp"
#include "training/exported_nets.hpp"

namespace switchyard {
namespace {

using ::testing::HasSubstr;

/// What the exported network gives for an input, by the model reader.
Tensor served(const nn::Sequential& net, const Tensor& example, const Tensor& input) {
  const Model model = Model::from_bytes(current_runtime(), onnx_bytes(net, example));
  return model.run({{"input", input}})[0].tensor;
}

double difference(const Tensor& a, const Tensor& b) {
  if (a.shape() != b.shape()) return INFINITY;
  return max(abs(place(a) - place(b))).item();
}

std::string refusal(const nn::Sequential& net, const Tensor& example) {
  try {
    onnx_bytes(net, example);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::unsupported);
    return error.what();
  }
  return "no error";
}

TEST(OnnxExport, ModelsComputeWhatTheirNetworksDo) {
  const NoGrad no_grad;
  std::set<std::string> names;
  for (ExportedNet& exported : exported_nets()) {
    SCOPED_TRACE(exported.name);
    ASSERT_TRUE(names.insert(exported.name).second);
    const Tensor example = exported.input.narrow(0, 0, 1).contiguous();  // batches are free
    const Tensor output = served(exported.net, example, exported.input);
    exported.net.eval();
    EXPECT_LE(difference(output, exported.net(exported.input)), 2e-5);
  }
  EXPECT_GT(names.size(), 50u);
}

TEST(OnnxExport, WritesOtherFloatingTypes) {
  const NoGrad no_grad;
  for (const DType dtype : {DType::float16, DType::float64}) {
    SCOPED_TRACE(name_of(dtype));
    nn::Sequential net(nn::Linear(6, 4), nn::GELU(), nn::RMSNorm(4), nn::Linear(4, 2));
    net.to(dtype);
    const Tensor input = randn({3, 6}).to(dtype);
    const Tensor output = served(net, input, input);
    EXPECT_EQ(output.dtype(), dtype);
    EXPECT_LE(difference(output, net(input)), dtype == DType::float16 ? 2e-3 : 1e-12);
  }
}

TEST(OnnxExport, NamesPortsAndTheirFreeExtent) {
  const nn::Sequential net(nn::Linear(6, 4));
  const auto bytes =
      onnx_bytes(net, zeros({2, 6}), {.batch = "n", .input = "pixels", .output = "logits"});
  const Model model = Model::from_bytes(current_runtime(), bytes);
  ASSERT_EQ(model.inputs().size(), 1u);
  EXPECT_EQ(model.inputs()[0].name, "pixels");
  EXPECT_EQ(model.inputs()[0].shape, (Dims{-1, 6}));
  EXPECT_EQ(model.inputs()[0].dim_names[0], "n");
  EXPECT_EQ(model.outputs()[0].name, "logits");
  EXPECT_EQ(model.outputs()[0].shape, (Dims{-1, 4}));
}

TEST(OnnxExport, KeepsNamesOfParameters) {
  const auto bytes =
      onnx_bytes(nn::Sequential(nn::ReLU(), nn::Sequential(nn::Linear(2, 2))), zeros({1, 2}));
  const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  EXPECT_THAT(text, HasSubstr("1.0.weight"));
  EXPECT_THAT(text, HasSubstr("1.0.bias"));
}

TEST(OnnxExport, SquaresOfFloat16DoNotOverflow) {
  const NoGrad no_grad;
  nn::Sequential net(nn::RMSNorm(4, {.eps = 1e-5}));
  net.to(DType::float16);
  const Tensor input = full({1, 4}, 1000.0).to(DType::float16);
  EXPECT_LE(difference(served(net, input, input), ones({1, 4}, {.dtype = DType::float16})), 1e-3);
}

TEST(OnnxExport, LengthsOfSequencesAreFree) {
  const NoGrad no_grad;
  const nn::TransformerEncoderLayer layer(8, 2, {.dim_feedforward = 12});
  nn::Sequential net(nn::TransformerEncoder(layer, 2));
  const Tensor longer = randn({7, 2, 8});
  const Tensor output = served(net, zeros({3, 2, 8}), longer);
  net.eval();
  EXPECT_LE(difference(output, net(longer)), 2e-5);
}

TEST(OnnxExport, LeavesTheNetworkAsItWas) {
  nn::Sequential net(nn::Linear(4, 4), nn::Dropout(), nn::BatchNorm1d(4));
  net[1].eval();
  const Tensor mean = net.at<nn::BatchNorm1d>(2).running_mean.clone();
  onnx_bytes(net, randn({3, 4}));
  EXPECT_TRUE(net.is_training());
  EXPECT_TRUE(net[0].is_training());
  EXPECT_FALSE(net[1].is_training());
  EXPECT_TRUE(net[2].is_training());
  EXPECT_EQ(difference(net.at<nn::BatchNorm1d>(2).running_mean, mean), 0);
}

struct OwnLinear : nn::Linear {
  OwnLinear() : Linear(4, 4) {}
  Tensor forward(const Tensor& x) override { return nn::Linear::forward(x) * 2; }
};

TEST(OnnxExport, RefusesWhatItCannotWriteByName) {
  const Tensor x = zeros({2, 4});
  EXPECT_THAT(refusal(nn::Sequential(nn::ReLU(), OwnLinear()), x), HasSubstr("OwnLinear '1'"));
  EXPECT_THAT(refusal(nn::Sequential(nn::BatchNorm1d(4, {.track_running_stats = false})), x),
              HasSubstr("without running statistics"));
  EXPECT_THAT(refusal(nn::Sequential(nn::Unflatten(0, {2, 1})), x), HasSubstr("Unflatten '0'"));
  nn::Sequential narrow(nn::Linear(4, 4));
  narrow.to(DType::bfloat16);
  EXPECT_THAT(refusal(narrow, x.to(DType::bfloat16)), HasSubstr("bfloat16"));
}

TEST(OnnxExport, RefusesExamplesWithoutABatch) {
  const nn::Sequential net(nn::Linear(4, 4));
  EXPECT_THROW(onnx_bytes(net, Tensor()), Error);
  EXPECT_THROW(onnx_bytes(net, zeros({0, 4})), Error);
  EXPECT_THAT(refusal(net, zeros({4})), HasSubstr("no dimension for the batch"));
}

TEST(OnnxExport, ReplacesTheFileWholeOrNotAtAll) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "net.onnx";
  export_onnx(nn::Sequential(nn::Linear(4, 2)), zeros({1, 4}), file);
  const auto size = std::filesystem::file_size(file);
  EXPECT_THROW(export_onnx(nn::Sequential(OwnLinear()), zeros({1, 4}), file), Error);
  EXPECT_EQ(std::filesystem::file_size(file), size);
  const Model model = Model::load(current_runtime(), file);
  EXPECT_EQ(model.run({{"input", zeros({5, 4})}})[0].tensor.shape(), (Dims{5, 2}));
}

}  // namespace
}  // namespace switchyard

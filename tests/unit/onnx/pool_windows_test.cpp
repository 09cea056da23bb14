// Pools whose windows are larger than the input with its padding, and the last windows of
// ceil_mode: as onnxruntime 1.30.0 has them, on every device.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <switchyard/model.hpp>

#include "onnx/small_models.hpp"
#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

/// A pool over the first `extent` of 3, 1, 4, 1, 5, and what onnxruntime makes of it: nothing where
/// it refuses the window.
struct Row {
  std::string op;
  int extent, kernel, stride, dilation;
  std::array<int, 2> pads;
  bool ceil, counts_padding;
  std::optional<Floats> expected;
  std::string auto_pad = "NOTSET";
};

const std::nullopt_t refused = std::nullopt;

const Row rows[] = {
    // Smaller by less than a stride, the input has one position; by less than two strides, none.
    {"MaxPool", 5, 6, 1, 1, {0, 0}, false, false, Floats{}},
    {"MaxPool", 5, 7, 1, 1, {0, 0}, false, false, refused},
    {"MaxPool", 5, 6, 2, 1, {0, 0}, false, false, Floats{5}},
    {"MaxPool", 5, 7, 2, 1, {0, 0}, true, false, Floats{}},
    {"MaxPool", 5, 8, 2, 1, {0, 0}, false, false, Floats{}},
    {"MaxPool", 5, 9, 2, 1, {0, 0}, false, false, refused},
    {"MaxPool", 3, 6, 3, 1, {1, 0}, false, false, Floats{4}},
    {"MaxPool", 3, 6, 3, 1, {1, 0}, true, false, Floats{4}},
    {"MaxPool", 3, 9, 3, 1, {1, 1}, false, false, Floats{}},
    {"AveragePool", 1, 2, 2, 1, {0, 0}, false, false, Floats{3}},
    {"AveragePool", 5, 7, 3, 1, {0, 0}, false, false, Floats{2.8F}},
    {"AveragePool", 5, 7, 2, 1, {0, 0}, false, false, Floats{}},
    {"AveragePool", 5, 8, 1, 1, {1, 1}, false, false, Floats{}},
    {"AveragePool", 5, 9, 1, 1, {1, 1}, false, false, refused},
    {"LpPool", 3, 4, 2, 1, {0, 0}, false, false, Floats{5.0990195F}},
    {"LpPool", 3, 5, 2, 1, {0, 0}, false, false, Floats{}},
    {"LpPool", 3, 7, 2, 1, {0, 0}, false, false, refused},
    // The padding counts as far as it goes, and what lies beyond it never.
    {"AveragePool", 5, 7, 3, 1, {0, 0}, false, true, Floats{2.8F}},
    {"AveragePool", 5, 8, 2, 1, {1, 1}, false, true, Floats{2}},
    {"AveragePool", 5, 8, 2, 1, {1, 1}, true, true, Floats{2}},
    {"AveragePool", 5, 8, 2, 1, {1, 1}, false, false, Floats{2.8F}},
    {"AveragePool", 3, 6, 2, 1, {1, 1}, true, true, Floats{1.6F}},
    // Gaps of a window count like its elements, and may be all that it has of the input.
    {"MaxPool", 2, 3, 3, 3, {1, 1}, false, false, Floats{}},
    {"MaxPool", 4, 3, 3, 3, {1, 1}, true, false, Floats{4}},
    {"MaxPool", 3, 8, 3, 2, {1, 1}, false, false, refused},
    {"AveragePool", 4, 3, 4, 3, {1, 1}, false, true, Floats{2}},
    {"AveragePool", 2, 2, 6, 5, {1, 1}, false, false, Floats{0}},
    {"AveragePool", 2, 2, 6, 5, {1, 1}, false, true, Floats{0}},
    // ceil_mode goes with VALID, too; SAME has as many positions as strides begin.
    {"MaxPool", 5, 2, 2, 1, {0, 0}, true, false, Floats{3, 4, 5}, "VALID"},
    {"AveragePool", 5, 2, 2, 1, {0, 0}, true, true, Floats{2, 2.5F, 5}, "VALID"},
    {"AveragePool", 5, 6, 2, 1, {0, 0}, true, false, Floats{2.8F}, "VALID"},
    {"LpPool", 4, 3, 2, 1, {0, 0}, true, false, Floats{5.0990195F, 4.1231055F}, "VALID"},
    {"MaxPool", 2, 5, 2, 1, {0, 0}, false, false, Floats{3}, "SAME_UPPER"},
    {"AveragePool", 2, 5, 2, 1, {0, 0}, false, true, Floats{0.8F}, "SAME_LOWER"},
};

std::string node_of(const Row& row) {
  std::string node = fmt::format(
      "{} <auto_pad = \"{}\", ceil_mode = {}, dilations = [{}], "
      "kernel_shape = [{}], strides = [{}]",
      row.op, row.auto_pad, row.ceil ? 1 : 0, row.dilation, row.kernel, row.stride);
  if (row.auto_pad == "NOTSET") {
    node += fmt::format(", pads = [{}, {}]", row.pads[0], row.pads[1]);
  }
  if (row.op == "AveragePool") {
    node += fmt::format(", count_include_pad = {}", row.counts_padding ? 1 : 0);
  }
  return node + "> (x)";
}

class PoolWindows : public testing::TestWithParam<const char*> {
 protected:
  std::vector<Tensor> run(const std::string& graph, int extent) {
    const std::string bytes = onnx::encode(model_of(graph, 22, 10));
    const Model model = Model::from_bytes(runtime_, bytes_of(bytes));
    const Floats all = {3, 1, 4, 1, 5};
    std::vector<Tensor> outputs;
    const Tensor x = floats({1, 1, extent}, {all.begin(), all.begin() + extent});
    for (auto& output : model.run({{"x", x}})) outputs.push_back(output.tensor);
    return outputs;
  }

  static void expect_values(const Tensor& found, const Floats& expected) {
    EXPECT_EQ(found.shape(), (Dims{1, 1, std::ssize(expected)}));
    EXPECT_THAT(found.to_vector<float>(), testing::Pointwise(testing::FloatEq(), expected));
  }

  const bool is_software_ = GetParam() == std::string("mps");
  const Runtime runtime_ = start(
      {is_software_ ? std::vector<std::string>{"mps", "cpu"} : std::vector<std::string>{"cpu"}, "",
       is_software_ ? "[plugins.mps.options]\ndevice = \"software\"\n" : ""});
};

TEST_P(PoolWindows, HavePositionsAndValuesAsOnnxruntimeHasThem) {
  for (const Row& row : rows) {
    SCOPED_TRACE(fmt::format("{} over {}", node_of(row), row.extent));
    for (const std::string& input :
         {fmt::format("float[1,1,{}] x", row.extent), std::string("float[n,c,w] x")}) {
      const std::string graph = "g (" + input + ") => (y) { y = " + node_of(row) + " }";
      if (row.expected) {
        expect_values(run(graph, row.extent)[0], *row.expected);
      } else {
        EXPECT_THAT(error_of([&] { run(graph, row.extent); }).what(),
                    testing::HasSubstr("the window spans"));
      }
    }
  }
}

TEST_P(PoolWindows, TellWhereTheLargestLie) {
  const auto positions = [&](const std::string& node) {
    return run("g (float[1,1,5] x) => (y, i) { y, i = MaxPool <" + node + "> (x) }", 5)[1]
        .to_vector<std::int64_t>();
  };
  EXPECT_EQ(positions("kernel_shape = [6], strides = [2]"), (Integers{4}));
  EXPECT_EQ(positions("kernel_shape = [8], strides = [3], pads = [1, 0]"), (Integers{4}));
  EXPECT_EQ(positions("kernel_shape = [6]"), Integers{});
}

TEST_P(PoolWindows, AreRefusedWhereTheyAreThoseOfConvolutions) {
  for (const char* strides : {"1", "2", "6"}) {
    EXPECT_THAT(error_of([&] {
                  run(fmt::format("g (float[n,c,w] x) => (y) {{ k = Constant <value = float[1,1,6] "
                                  "{{1, 1, 1, 1, 1, 1}}> () y = Conv <strides = [{}]> (x, k) }}",
                                  strides),
                      5);
                }).what(),
                testing::HasSubstr("the window spans 6"));
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, PoolWindows, testing::Values("cpu", "mps"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace switchyard

// A refusal of a model names the file, the node and the op, wherever between reading and running
// it shows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "onnx/contrib_models.hpp"
#include "tensor/host_tensor.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// What a model is refused for when it is loaded, or else run; its first nodes get names.
std::string position_of_error(std::string_view graph, const std::vector<std::string>& names,
                              const Feeds& feeds, bool runs) {
  static const Runtime runtime = start({{"cpu"}});
  onnx::ModelProto message = contrib_model(graph);
  for (std::size_t i = 0; i < names.size(); ++i) message.graph->node[i].name = names[i];
  const std::string bytes = onnx::encode(message);
  std::optional<Model> model;
  const auto load = [&] { model.emplace(Model::from_bytes(runtime, bytes_of(bytes))); };
  if (!runs) return error_of(load).what();
  load();
  std::vector<NamedValue> inputs;
  for (const auto& [name, tensor] : feeds) inputs.push_back({name, tensor});
  return error_of([&] { model->run(inputs); }).what();
}

TEST(RefusedPosition, OfWhatReadingShows) {
  EXPECT_THAT(
      position_of_error("g (float[2] x, float[3] z) => (y) { y = Add (x, z) }", {"sum"}, {}, false),
      StartsWith("model in memory: node 'sum' (Add): "));
}

// The shape is a sum of constants, which are folded when all has been read.
TEST(RefusedPosition, OfWhatFoldingShows) {
  EXPECT_THAT(position_of_error("g (float[2,4] x) => (y) {"
                                " s = Constant <value_ints = [1, 3]> ()"
                                " t = Add (s, s)"
                                " y = Reshape (x, t) }",
                                {"", "", "turn"}, {}, false),
              StartsWith("model in memory: node 'turn' (Reshape): "));
}

TEST(RefusedPosition, OfWhatTheRunShows) {
  EXPECT_THAT(position_of_error("g (float[a] x, float[b] z) => (y) { y = Add (x, z) }", {"sum"},
                                {{"x", floats({2}, {1, 2})}, {"z", floats({3}, {1, 2, 3})}}, true),
              StartsWith("model in memory: node 'sum' (Add): "));
}

TEST(RefusedPosition, OfWhatADeviceShows) {
  const std::string_view graph = "g (float[2] x, int64[1] i) => (y) { y = Gather (x, i) }";
  EXPECT_THAT(position_of_error(
                  graph, {"pick"},
                  {{"x", floats({2}, {1, 2})}, {"i", host_tensor<std::int64_t>({1}, {7})}}, true),
              StartsWith("model in memory: node 'pick' (Gather): cpu:0: run: "));
}

TEST(RefusedPosition, OfWhatABodyShows) {
  EXPECT_THAT(position_of_error("g (float[b,s,4] q, int32[b] l, int32 t) => (y) {"
                                " y = com.microsoft.GroupQueryAttention"
                                " <num_heads = 1, kv_num_heads = 1>"
                                " (q, q, q, \"\", \"\", l, t) }",
                                {"attend"},
                                {{"q", floats({1, 2, 4}, Floats(8))},
                                 {"l", host_tensor<std::int32_t>({1}, {5})},
                                 {"t", host_tensor<std::int32_t>({}, {2})}},
                                true),
              AllOf(StartsWith("model in memory: node 'attend"), HasSubstr("seqlens_k is 5")));
}

}  // namespace
}  // namespace switchyard

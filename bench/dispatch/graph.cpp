// A model of a hundred ops on `null`, which computes nothing: what the host adds to each node.
#include <benchmark/benchmark.h>

#include <array>
#include <span>
#include <string>
#include <switchyard/functions/creation.hpp>
#include <switchyard/model.hpp>

#include "onnx/proto/encode.hpp"
#include "onnx/text/text_parser.hpp"
#include "runtimes.hpp"

namespace switchyard::bench {
namespace {

constexpr int kOps = 100;

// x -> Add -> Mul -> Add -> ... -> y, each with a second input of the graph's own.
std::string chain_model() {
  std::string text = "chain (float[8] x, float[8] c) => (float[8] y) {\n";
  for (int i = 0; i < kOps; ++i) {
    const std::string input = i == 0 ? "x" : "v" + std::to_string(i - 1);
    const std::string output = i + 1 == kOps ? "y" : "v" + std::to_string(i);
    text += output + " = " + (i % 2 == 0 ? "Add" : "Mul") + " (" + input + ", c)\n";
  }
  onnx::ModelProto model;
  model.ir_version = 8;
  model.opset_import.emplace_back().version = 17;
  model.graph = parse_graph_text(text + "}");
  return onnx::encode(model);
}

void run_graph_of_100_ops(benchmark::State& state, const char* plugin, bool whole_programs) {
  const Runtime runtime = runtime_on(plugin, whole_programs);
  const std::string bytes = chain_model();
  const Model model = Model::from_bytes(runtime, std::as_bytes(std::span(bytes)));
  const Device device = runtime.device(plugin);
  const Tensor x = zeros({8}, {.device = device});
  RunReport report;
  model.run({{"x", x}, {"c", x}}, {.report = &report});
  if (report.placement[std::string(plugin) + ":0"] != kOps) {
    state.SkipWithError("not all ops ran on the device");
  }
  for (auto _ : state) {
    auto outputs = model.run({{"x", x}, {"c", x}});
    benchmark::DoNotOptimize(outputs);
  }
  state.counters["per_node"] = benchmark::Counter(
      kOps, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK_CAPTURE(run_graph_of_100_ops, null, "null", false);
BENCHMARK_CAPTURE(run_graph_of_100_ops, cpu, "cpu", false);
BENCHMARK_CAPTURE(run_graph_of_100_ops, mps, "mps", false);
BENCHMARK_CAPTURE(run_graph_of_100_ops, null_as_a_program, "null", true);
BENCHMARK_CAPTURE(run_graph_of_100_ops, mps_as_a_program, "mps", true);

// The same ops called one by one.
void call_100_ops(benchmark::State& state, const char* plugin) {
  const Runtime runtime = runtime_on(plugin);
  const Operation add = runtime.operation("Add");
  const Operation multiply = runtime.operation("Mul");
  const Device device = runtime.device(plugin);
  const Tensor c = zeros({8}, {.device = device});
  for (auto _ : state) {
    Tensor value = c;
    for (int i = 0; i < kOps; ++i) value = (i % 2 == 0 ? add : multiply)(value, c);
    benchmark::DoNotOptimize(value);
  }
  state.counters["per_node"] = benchmark::Counter(
      kOps, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK_CAPTURE(call_100_ops, null, "null");
BENCHMARK_CAPTURE(call_100_ops, mps, "mps");

}  // namespace
}  // namespace switchyard::bench

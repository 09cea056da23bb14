// Reads, plans and runs the bytes as an ONNX model, twice. Both runs must come to the same, unless
// they take too much memory or time. On other devices than cpu alone (SWITCHYARD_FUZZ_ORDER) types
// and shapes must be those of cpu, too.
#include <fmt/format.h>

#include <switchyard/model.hpp>

#include <chrono>
#include <optional>
#include <string>

#include "elements.hpp"
#include "mutation/inspection.hpp"
#include "outcome.hpp"
#include "runtimes.hpp"

namespace switchyard::fuzz {
namespace {

using Values = std::vector<NamedValue>;

constexpr std::int64_t kMostElements = 1 << 14;

std::optional<Tensor> input_for(const Port& port, Dice& dice) {
  if (!port.tensor) return std::nullopt;
  Dims shape = port.shape;
  std::int64_t count = 1;
  for (std::int64_t& extent : shape) {
    if (extent < 0) extent = static_cast<std::int64_t>(dice.below(4));
    if (extent > kMostElements) return std::nullopt;
    count *= extent;
    if (count > kMostElements) return std::nullopt;
  }
  return random_tensor(port.dtype == DType::undefined ? DType::float32 : port.dtype, shape, dice);
}

std::optional<Values> inputs_of(const Model& model, Dice& dice) {
  Values values;
  for (const Port& port : model.inputs()) {
    if (!port.required) continue;
    std::optional<Tensor> tensor = input_for(port, dice);
    if (!tensor) return std::nullopt;
    values.push_back({port.name, *std::move(tensor)});
  }
  return values;
}

struct Run {
  Ending ending = Ending::refusal;
  std::optional<Values> outputs;
  std::string error = {};
};

Run run(const Runtime& runtime, const Model& model, const Values& inputs) {
  Run made;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  made.ending = ending_on(
      runtime.default_device(), [&] { made.outputs = model.run(inputs, {.deadline = deadline}); },
      &made.error);
  if (made.ending != Ending::result) made.outputs.reset();
  return made;
}

template <typename Same>
void compare(const std::optional<Values>& first, const std::optional<Values>& second,
             const char* what, Same same) {
  if (!first || !second) return;
  for (std::size_t i = 0; i < first->size(); ++i) {
    const NamedValue& a = (*first)[i];
    const NamedValue& b = (*second)[i];
    bool is_same = a.sequence.size() == b.sequence.size() && same(a.tensor, b.tensor);
    for (std::size_t j = 0; is_same && j < a.sequence.size(); ++j) {
      is_same = same(a.sequence[j], b.sequence[j]);
    }
    if (!is_same) report(what, fmt::format("{}: {}", a.name, difference(a.tensor, b.tensor)));
  }
}

Run run_twice(const Runtime& runtime, const Model& model, const Values& inputs, bool is_random) {
  Run first = run(runtime, model, inputs);
  if (is_random || first.ending == Ending::out_of_means) return first;
  const Run second = run(runtime, model, inputs);
  if (second.ending == Ending::out_of_means) return second;
  if (first.ending != second.ending) {
    report("one of two runs failed", first.error + second.error);
  }
  succeeds([&] { compare(first.outputs, second.outputs, "two runs differ", are_identical); });
  return first;
}

struct Environment {
  std::string order = chosen_order();
  Runtime runtime = start_runtime(order);
  std::optional<Runtime> reference =
      order == "cpu" ? std::nullopt : std::optional(start_runtime("cpu"));
};

std::optional<Model> load(const Runtime& runtime, std::span<const std::byte> bytes) {
  std::optional<Model> model;
  succeeds([&] { model = Model::from_bytes(runtime, bytes); });
  return model;
}

void judge_model(std::span<const std::byte> bytes) {
  static const auto& environment = *new Environment;
  const std::optional<Model> model = load(environment.runtime, bytes);
  if (!model) return;
  Dice dice(bytes.size());
  const std::optional<Values> inputs = inputs_of(*model, dice);
  if (!inputs) return;
  const std::optional<Values> outputs =
      run_twice(environment.runtime, *model, *inputs, is_random(bytes)).outputs;
  require_sound_devices(environment.runtime, environment.order);
  if (!outputs || !environment.reference) return;
  const std::optional<Model> other = load(*environment.reference, bytes);
  if (!other) return;
  const std::optional<Values> expected = run(*environment.reference, *other, *inputs).outputs;
  if (!expected) return;
  compare(outputs, expected, "devices differ in a type or shape",
          [](const Tensor& a, const Tensor& b) {
            if (!a.defined() || !b.defined()) return a.defined() == b.defined();
            return a.dtype() == b.dtype() && a.shape() == b.shape();
          });
}

}  // namespace
}  // namespace switchyard::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  switchyard::fuzz::judge_model(switchyard::fuzz::as_bytes(data, size));
  return 0;
}

// Whatever a call is given, it ends in a result or in one clear error, the same on every device and
// each time: shapes that do not go together, values out of range, attributes that overflow. Built
// with the address sanitizer, this is the proof that no kernel reads or writes where it should not.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <switchyard/error.hpp>

#include "changes.hpp"
#include "cli/doctor/claimed_ops.hpp"
#include "cli/values/host_values.hpp"
#include "ops/op_by_name.hpp"
#include "tensor/test_runtime.hpp"

namespace switchyard::mutated_inputs {
namespace {

const Runtime& on_cpu() {
  static const Runtime runtime = start({{"cpu"}});
  return runtime;
}
const Runtime& on_template() {
  static const Runtime runtime = start({{"template", "cpu"}, "fallback = \"allow\""});
  return runtime;
}
const Runtime& on_template_c() {
  static const Runtime runtime = start({{"template_c", "cpu"}, "fallback = \"allow\""});
  return runtime;
}
const Runtime& on_metal() {
  const Setup metal = {
      {"mps", "cpu"}, "fallback = \"allow\"", "[plugins.mps.options]\ndevice = \"software\""};
  const bool is_built = std::filesystem::exists(plugin_library("mps"));
  static const Runtime runtime = start(is_built ? metal : Setup{{"cpu"}});
  return runtime;
}

const Op* op_of(const Call& call) { return find_op_by_name(call.op); }

/// What came of a call: its outputs, or what it was refused for.
struct Outcome {
  std::vector<Literal> outputs;
  std::optional<Error> error;
};

Outcome outcome_of(const Call& call, const Runtime& runtime) {
  Outcome outcome;
  try {
    const auto op = runtime.operation(call.op, call.attributes, op_of(call)->row->domain);
    for (const Tensor& output : cli::outputs_of(op, *op_of(call), call.inputs)) {
      if (output.defined()) outcome.outputs.push_back(cli::to_literal(output));
    }
  } catch (const Error& error) {
    outcome.error = error;
  }
  return outcome;
}

bool is_near(float a, float b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b || std::fabs(a - b) <= 1e-3F * (1 + std::max(std::fabs(a), std::fabs(b)));
}

bool agree(const Literal& a, const Literal& b) {
  if (a.dtype() != b.dtype() || !(a.shape() == b.shape())) return false;
  if (a.size_bytes() == 0) return true;
  if (a.dtype() != DType::float32) return std::memcmp(a.bytes(), b.bytes(), a.size_bytes()) == 0;
  const auto x = a.values<float>(), y = b.values<float>();
  return std::equal(x.begin(), x.end(), y.begin(), is_near);
}

void expect_agreement(const Call& call, const Outcome& expected, const Outcome& found,
                      const char* device) {
  SCOPED_TRACE(std::string(call.op) + " on " + device + " where " + call.what);
  const auto text = [](const Outcome& outcome) {
    return outcome.error ? outcome.error->what() : std::string("a result");
  };
  ASSERT_EQ(expected.error.has_value(), found.error.has_value())
      << text(expected) << " against " << text(found);
  if (expected.error) return;  // each device has words of its own
  ASSERT_EQ(expected.outputs.size(), found.outputs.size());
  for (std::size_t i = 0; i < expected.outputs.size(); ++i) {
    EXPECT_TRUE(agree(expected.outputs[i], found.outputs[i])) << "output " << i;
  }
}

void check(const Call& call) {
  const Outcome once = outcome_of(call, on_cpu());
  if (once.error) {
    EXPECT_NE(once.error->kind(), ErrorKind::internal)
        << call.op << " where " << call.what << ": " << once.error->what();
    EXPECT_EQ(std::string_view(once.error->what()).find('\n'), std::string_view::npos);
  }
  expect_agreement(call, once, outcome_of(call, on_cpu()), "cpu once more");
  expect_agreement(call, once, outcome_of(call, on_template()), "template");
  expect_agreement(call, once, outcome_of(call, on_template_c()), "template_c");
  expect_agreement(call, once, outcome_of(call, on_metal()), "mps");
}

/// The sound calls of what cpu takes, and of views, which run on no device.
std::vector<Call> calls_of_cpu() {
  static const auto& claimed =
      *new std::set<std::string>(cli::claimed_ops(on_cpu().device("cpu:0")));
  std::vector<Call> calls = sound_calls();
  std::erase_if(calls, [](const Call& call) {
    return op_of(call)->row->runs_on == RunsOn::device && !claimed.count(std::string(call.op));
  });
  return calls;
}

// As a call is tried first: else all of the below would be errors, and say nothing.
TEST(MutatedInputs, ThatAreSoundEndInAResult) {
  for (const Call& call : calls_of_cpu()) {
    const Outcome outcome = outcome_of(call, on_cpu());
    EXPECT_FALSE(outcome.error) << call.op << ": " << outcome.error->what();
    check(call);
  }
}

// An input that no call gives is one of which nothing below says anything.
TEST(MutatedInputs, AreAllGivenInSomeCall) {
  std::map<std::string, std::set<std::size_t>> given;
  for (const Call& call : calls_of_cpu()) {
    for (std::size_t i = 0; i < call.inputs.size(); ++i) {
      if (call.inputs[i].defined()) given[std::string(call.op)].insert(i);
    }
  }
  for (const Call& call : calls_of_cpu()) {
    const std::vector<Formal>& formals = op_of(call)->canonical.inputs;
    for (std::size_t i = 0; i < formals.size(); ++i) {
      if (formals[i].variadic) continue;
      EXPECT_EQ(given[std::string(call.op)].count(i), 1u)
          << call.op << " has no call with input " << formals[i].name;
    }
  }
}

TEST(MutatedInputs, OfEveryShapeEndInAResultOrAnError) {
  std::size_t count = 0;
  for (const Call& sound : calls_of_cpu()) {
    for (const Call& call : with_other_shapes(sound)) {
      check(call);
      ++count;
    }
  }
  RecordProperty("calls", static_cast<int>(count));
}

TEST(MutatedInputs, OfExtremeValuesEndInAResultOrAnError) {
  for (const Call& sound : calls_of_cpu()) {
    for (const Call& call : with_other_values(sound)) check(call);
  }
}

TEST(MutatedInputs, BesideExtremeAttributesEndInAResultOrAnError) {
  for (const Call& sound : calls_of_cpu()) {
    for (const Call& call : with_other_attributes(sound)) check(call);
  }
}

}  // namespace
}  // namespace switchyard::mutated_inputs

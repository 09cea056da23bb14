#include "cli/doctor/op_trials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>
#include <switchyard/error.hpp>
#include <switchyard/tensor.hpp>

#include "cli/doctor/trial_values.hpp"
#include "cli/values/host_values.hpp"
#include "ops/op_by_name.hpp"
#include "ops/row.hpp"
#include "ops/signature.hpp"

namespace switchyard::cli {
namespace {

bool allows(const Formal& formal, DType dtype) {
  return (formal.allowed >> static_cast<unsigned>(dtype) & 1) != 0;
}

/// The kind of elements that an input is tried with where the row has no example: the first of
/// these that its type has. "" for others.
std::string_view word_for(const Formal& formal) {
  if (formal.host_input) return "";
  if (allows(formal, DType::float32)) return "f2x3";
  if (allows(formal, DType::int32)) return "i2x3";
  if (allows(formal, DType::bool_)) return "b2x3";
  return "";
}

/// Every input that must be given, all of one shape; "" if one of them is none of these kinds.
std::string suggested_example(const Op& op) {
  std::string words;
  for (const Formal& formal : op.canonical.inputs) {
    if (formal.optional) break;
    const std::string_view word = word_for(formal);
    if (word.empty()) return "";
    words += fmt::format("{}{}", words.empty() ? "" : " ", word);
    if (formal.variadic) words += fmt::format(" {}", word);
  }
  return words;
}

/// Whether devices may give other numbers: those that an example shows are the same.
bool is_random(const Op& op) { return op.row->random && op.row->example.empty(); }

bool is_tried(const Op& op) {
  return (op.row->runs_on == RunsOn::device || op.row->runs_on == RunsOn::view) && !is_random(op);
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::vector<Literal> compute(const OpTrial& trial, const Runtime& runtime) {
  AttributeArguments attributes = attributes_of(trial);
  const std::vector<Tensor> inputs = inputs_of(trial);
  std::vector<Literal> outputs;
  const Operation call =
      runtime.operation(trial.op->name(), std::move(attributes), trial.op->row->domain);
  for (const Tensor& output : outputs_of(call, *trial.op, inputs)) {
    if (output.defined()) outputs.push_back(to_literal(output));
  }
  return outputs;
}

/// What differs, or "".
std::string difference(const Literal& found, const Literal& expected) {
  if (found.dtype() != expected.dtype() || !(found.shape() == expected.shape())) {
    return "another type or shape";
  }
  if (found.size_bytes() == 0) return "";
  if (found.dtype() != DType::float32) {
    const bool equal = std::memcmp(found.bytes(), expected.bytes(), found.size_bytes()) == 0;
    return equal ? "" : "other elements";
  }
  const auto* a = reinterpret_cast<const float*>(found.bytes());
  const auto* b = reinterpret_cast<const float*>(expected.bytes());
  for (std::size_t i = 0; i < found.size_bytes() / sizeof(float); ++i) {
    if (std::isnan(a[i]) && std::isnan(b[i])) continue;
    const float allowed = 1e-3F * (1 + std::max(std::fabs(a[i]), std::fabs(b[i])));
    if (a[i] == b[i] || std::fabs(a[i] - b[i]) <= allowed) continue;
    return fmt::format("element {} is {}, not {}", i, a[i], b[i]);
  }
  return "";
}

void try_op(const OpTrial& trial, const Runtime& tried, const Runtime& reference,
            OpTrialResults& results) {
  const std::string op(trial.op->name());
  try {
    const std::vector<Literal> found = compute(trial, tried), expected = compute(trial, reference);
    std::string what = found.size() == expected.size() ? "" : "another number of outputs";
    for (std::size_t i = 0; what.empty() && i < found.size(); ++i) {
      what = difference(found[i], expected[i]);
    }
    if (what.empty()) return results.right.push_back(op);
    results.wrong.push_back(fmt::format("{}: {}", op, what));
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::unsupported) return results.refused.push_back(op);
    results.wrong.push_back(fmt::format("{}: {}", op, error.what()));
  }
}

}  // namespace

std::string example_of(const Op& op) {
  return op.row->example.empty() ? suggested_example(op) : std::string(op.row->example);
}

std::vector<OpTrial> op_trials() {
  std::vector<OpTrial> trials;
  for (const Op& op : all_ops()) {
    std::string example = example_of(op);
    if (is_tried(op) && !example.empty()) trials.push_back({&op, std::move(example)});
  }
  return trials;
}

std::vector<Tensor> inputs_of(const OpTrial& trial) {
  std::vector<Tensor> inputs;
  for (const std::string& word : words_of(trial.example)) {
    if (word.find('=') == std::string::npos) inputs.push_back(trial_input(word, inputs.size()));
  }
  return inputs;
}

std::vector<Tensor> outputs_of(const Operation& call, const Op& op,
                               std::span<const Tensor> inputs) {
  return has_variadic_outputs(op) ? call(inputs, 1) : call(inputs);
}

AttributeArguments attributes_of(const OpTrial& trial) {
  AttributeArguments attributes;
  for (const std::string& word : words_of(trial.example)) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) continue;
    attributes.emplace_back(word.substr(0, equals), trial_argument(word.substr(equals + 1)));
  }
  return attributes;
}

OpTrialResults try_ops(const std::set<std::string>& ops, const Runtime& tried,
                       const Runtime& reference) {
  OpTrialResults results;
  for (const std::string& name : ops) {
    const Op* op = find_op_by_name(name);
    if (op && is_random(*op)) {
      results.random.push_back(name);
    } else if (std::string example = op ? example_of(*op) : ""; !example.empty()) {
      try_op({op, std::move(example)}, tried, reference, results);
    } else {
      results.unknown.push_back(name);
    }
  }
  return results;
}

}  // namespace switchyard::cli

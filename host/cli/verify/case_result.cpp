#include "cli/verify/case_result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <switchyard/model.hpp>

#include "cli/process/interruptible_work.hpp"
#include "cli/values/host_values.hpp"
#include "cli/verify/model_ops.hpp"
#include "onnx/files/value_file.hpp"
#include "ops/row.hpp"

namespace switchyard::cli {
namespace {

/// How the files of a port are to be read: they do not tell themselves.
Value declared(const Port& port) {
  Value value;
  value.name = port.name;
  value.dtype = port.dtype;
  if (!port.tensor) value.kind = port.required ? ValueKind::sequence : ValueKind::optional;
  return value;
}

const Port& port_at(const std::vector<Port>& ports, std::size_t number,
                    const std::filesystem::path& file) {
  if (number < ports.size()) return ports[number];
  throw Error(ErrorKind::model,
              fmt::format("{}: the model has only {} such values", file.string(), ports.size()));
}

/// ONNX's own files of 1.12 hold a bfloat16 as the uint16 of its bits.
Literal as_declared(const Literal& literal, DType dtype) {
  if (literal.dtype() != DType::uint16 || dtype != DType::bfloat16) return literal;
  return Literal(dtype, literal.shape(), literal.owner(), literal.bytes());
}

StoredValue read_value(const Port& port, const std::filesystem::path& file) {
  StoredValue stored = read_value_pb(file, declared(port));
  for (Literal& tensor : stored.tensors) tensor = as_declared(tensor, port.dtype);
  return stored;
}

NamedValue to_named(const Port& port, StoredValue stored) {
  NamedValue value;
  value.name = port.name;
  value.is_sequence = stored.is_sequence;
  if (!stored.is_present) return value;
  if (!stored.is_sequence) {
    value.tensor = to_tensor(stored.tensor());
    return value;
  }
  for (Literal& item : stored.tensors) value.sequence.push_back(to_tensor(std::move(item)));
  return value;
}

std::vector<NamedValue> read_inputs(const Model& model, const TestDataSet& set) {
  std::vector<NamedValue> inputs;
  for (const auto& [number, file] : set.inputs) {
    const Port& port = port_at(model.inputs(), number, file);
    inputs.push_back(to_named(port, read_value(port, file)));
  }
  return inputs;
}

Comparison mismatch(std::string difference) { return {false, false, 0, std::move(difference)}; }

Comparison compare_sequences(const NamedValue& got, const StoredValue& expected,
                             const ToleranceOptions& tolerance) {
  if (got.sequence.size() != expected.tensors.size()) {
    return mismatch(fmt::format("is a sequence of {}, expected {}", got.sequence.size(),
                                expected.tensors.size()));
  }
  Comparison all;
  for (std::size_t i = 0; i < got.sequence.size(); ++i) {
    Comparison one = compare(to_literal(got.sequence[i]), expected.tensors[i], tolerance);
    all.max_error = std::max(all.max_error, one.max_error);
    all.has_same_form = all.has_same_form && one.has_same_form;
    if (one.is_equal || !all.is_equal) continue;
    all.is_equal = false;
    all.difference = fmt::format("has a wrong element {}, which {}", i, one.difference);
  }
  return all;
}

Comparison compare_value(const NamedValue& got, const StoredValue& expected,
                         const ToleranceOptions& tolerance) {
  if (expected.is_present && expected.is_sequence != got.is_sequence) {
    return mismatch(got.is_sequence ? "is a sequence, expected a tensor"
                                    : "is a tensor, expected a sequence");
  }
  if (got.is_sequence) return compare_sequences(got, expected, tolerance);
  if (!expected.is_present || !got.tensor.defined()) {
    if (!expected.is_present && !got.tensor.defined()) return {};
    return mismatch(got.tensor.defined() ? "has a value, expected none"
                                         : "has no value, expected one");
  }
  return compare(to_literal(got.tensor), expected.tensor(), tolerance);
}

void end_with(CaseResult& result, CaseStatus status, std::string reason) {
  result.status = status;
  result.reason = std::move(reason);
}

/// An op of the model whose results are random; "" if there is none.
std::string random_op_of(const std::filesystem::path& model) {
  for (const std::string& name : ops_of_model(model)) {
    const Op* op = find_op("", name);
    if (op != nullptr && op->row->random) return name;
  }
  return "";
}

/// Notes the first difference. Random results can only have the right form.
void note_difference(const BackendCase& test, const TestDataSet& set, const Port& port,
                     const Comparison& comparison, CaseResult& result) {
  std::string message =
      fmt::format("{}: output '{}' {}", set.name, port.name, comparison.difference);
  const std::string random = comparison.has_same_form ? random_op_of(*test.model) : "";
  if (random.empty()) return end_with(result, CaseStatus::fail, std::move(message));
  end_with(result, CaseStatus::skip, fmt::format("{} is random: {}", random, message));
}

void compare_outputs(const Model& model, const BackendCase& test, const TestDataSet& set,
                     const std::vector<NamedValue>& outputs, const ToleranceOptions& tolerance,
                     CaseResult& result) {
  if (set.outputs.empty()) {
    return end_with(result, CaseStatus::fail,
                    fmt::format("{}: there is no output_*.pb to compare with", set.name));
  }
  for (const auto& [number, file] : set.outputs) {
    const Port& port = port_at(model.outputs(), number, file);
    const Comparison comparison = compare_value(outputs[number], read_value(port, file), tolerance);
    result.max_error = std::max(result.max_error, comparison.max_error);
    if (!comparison.is_equal && result.status != CaseStatus::fail) {
      note_difference(test, set, port, comparison, result);
    }
  }
}

/// An op that the model names and that has no row here; "" if there is none.
std::string unknown_op_of(const std::filesystem::path& model) {
  for (const std::string& name : ops_of_model(model)) {
    const std::size_t dot = name.rfind('.');
    const bool has_domain = dot != std::string::npos;
    const std::string domain = has_domain ? name.substr(0, dot) : "";
    if (find_op(domain, has_domain ? name.substr(dot + 1) : name) == nullptr) return name;
  }
  return "";
}

/// The model of a test case is right. So it may be refused for an op that is unknown here, and for
/// what no device takes; any other refusal is a fault of ours.
bool may_refuse(const Error& error, const std::filesystem::path& model) {
  if (error.kind() == ErrorKind::model) return !unknown_op_of(model).empty();
  return error.kind() == ErrorKind::unsupported;
}

bool is_of_inputs(const Error& error) {
  return error.kind() == ErrorKind::invalid_argument || error.kind() == ErrorKind::shape_mismatch ||
         error.kind() == ErrorKind::not_found;
}

/// Once the model is read, a model error is a wrong claim about a run that ought to work, but for a
/// branch whose op is unknown here.
void run_data_sets(const Model& model, const BackendCase& test, const ToleranceOptions& tolerance,
                   CaseResult& result) {
  for (const TestDataSet& set : test.data_sets) {
    const std::vector<NamedValue> inputs = read_inputs(model, set);
    std::vector<NamedValue> outputs;
    RunReport report;
    try {
      outputs = model.run(
          inputs, {.cancellation = &user_cancellation(), .count_ops = true, .report = &report});
      bring_to_host(outputs);
    } catch (const Error& error) {
      if (is_of_inputs(error)) {
        return end_with(
            result, CaseStatus::skip,
            fmt::format("{}: its inputs do not fit its model: {}", set.name, error.what()));
      }
      if (!may_refuse(error, *test.model)) throw;
      return end_with(result, CaseStatus::skip, error.what());
    }
    for (const RunReport::OpLine& line : report.profile) result.ran.emplace(line.op, line.device);
    compare_outputs(model, test, set, outputs, tolerance, result);
  }
}

void verify(const Runtime& runtime, const BackendCase& test, const ToleranceOptions& tolerance,
            CaseResult& result) {
  std::optional<Model> model;
  try {
    model.emplace(Model::load(runtime, *test.model));
  } catch (const Error& error) {
    if (!may_refuse(error, *test.model)) throw;
    return end_with(result, CaseStatus::skip, error.what());
  }
  run_data_sets(*model, test, tolerance, result);
}

}  // namespace

std::string_view word_for(CaseStatus status) {
  switch (status) {
    case CaseStatus::pass: return "pass";
    case CaseStatus::fail: return "fail";
    case CaseStatus::skip: break;
  }
  return "skip";
}

CaseResult verify_case(const Runtime& runtime, const BackendCase& test,
                       ToleranceOptions tolerance) {
  CaseResult result;
  result.name = test.name;
  result.model = test.model.value_or("");
  if (!test.model) {
    end_with(result, CaseStatus::skip, "has no model.onnx; give its model with --model FILE");
  } else if (test.data_sets.empty()) {
    end_with(result, CaseStatus::skip, "has no test_data_set_* to run");
  } else {
    try {
      verify(runtime, test, tolerance, result);
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::cancelled) throw;
      end_with(result, CaseStatus::fail, error.what());
    } catch (const std::exception& error) {
      end_with(result, CaseStatus::fail, error.what());
    }
  }
  return result;
}

}  // namespace switchyard::cli

#include "cli/conform/kernels/op_call.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <cstring>
#include <sstream>
#include <switchyard/error.hpp>

#include "cli/doctor/op_trials.hpp"
#include "cli/values/host_values.hpp"
#include "io/doubles.hpp"
#include "ops/scalar_literal.hpp"
#include "ops/signature.hpp"
#include "types/describe.hpp"

namespace switchyard::cli::conform {
namespace {

bool is_float(DType dtype) {
  return dtype == DType::float32 || dtype == DType::float64 || dtype == DType::float16 ||
         dtype == DType::bfloat16;
}

bool is_complex(DType dtype) { return dtype == DType::complex64 || dtype == DType::complex128; }

/// A float of an example, of which most are between -2 and 2, as a number that another type holds
/// with some of its digits.
double as_element_of(DType dtype, double value) {
  if (is_float(dtype) || is_complex(dtype)) return value;
  if (dtype == DType::bool_) return value > 0 ? 1 : 0;
  const bool is_wide = bit_width(dtype) >= 16;
  const double scaled = std::round(value * (is_wide ? 10 : bit_width(dtype) < 8 ? 2 : 5));
  return scaled;
}

bool is_of_main_type(const Op& op, std::size_t input) {
  const std::size_t main = main_input(op);
  if (input == main) return true;
  const Formal* formal = formal_at(op.canonical.inputs, input);
  const Formal* first = formal_at(op.canonical.inputs, main);
  return formal && !formal->host_input && formal->letter >= 0 && formal->letter == first->letter;
}

Literal retyped(const Literal& value, DType dtype) {
  if (value.dtype() == dtype) return value;
  const bool was_float = is_float(value.dtype());
  std::vector<double> values = to_doubles(value);
  for (double& element : values) {
    if (was_float) element = as_element_of(dtype, element);
  }
  return literal_of(dtype, value.shape(), values);
}

AttributeValue attribute_value(const AttributeArgument& argument) {
  return std::visit(
      [](const auto& value) -> AttributeValue {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, Tensor>) {
          return to_literal(value);
        } else {
          return value;
        }
      },
      argument.value());
}

/// All but the optional ones at the end; one of a variable number.
std::size_t output_count(const Op& op) {
  if (has_variadic_outputs(op)) return 1;
  std::size_t count = 0;
  for (const Formal& formal : op.canonical.outputs) count += formal.optional ? 0 : 1;
  return count == 0 ? op.canonical.outputs.size() : count;
}

/// Where the shape of a word begins: behind its letter, or its colon. npos: it has none.
std::size_t shape_of_word(const std::string& word) {
  if (word.empty() || word.find('=') != word.npos || word[0] == '_' || word[0] == 'n' ||
      word[0] == 'l' || word[0] == 'v') {
    return std::string::npos;
  }
  return 1;
}

template <typename Change>
std::string changed_words(const std::string& words, Change&& change) {
  std::istringstream stream(words);
  std::string result;
  for (std::string word; stream >> word;) {
    if (shape_of_word(word) != std::string::npos) word = change(word);
    result += (result.empty() ? "" : " ") + word;
  }
  return result;
}

void set_packed(Literal& literal, std::size_t position, std::uint8_t bits, int width) {
  const std::size_t bit = position * static_cast<std::size_t>(width);
  auto& byte = literal.mutable_bytes()[bit / 8];
  byte |= static_cast<std::byte>(bits << bit % 8);
}

}  // namespace

std::string OpCall::text() const {
  std::string all;
  for (const Literal& input : inputs) {
    if (!all.empty()) all += ", ";
    all += input.dtype() == DType::undefined ? "none" : describe(input.dtype(), input.shape());
  }
  return all;
}

bool OpCall::infers() {
  std::vector<ValueInfo> infos;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    ValueInfo info;
    info.dtype = inputs[i].dtype();
    if (has(i)) info.shape = inputs[i].shape();
    if (has(i) && is_host_input(i)) info.literal = &inputs[i];
    infos.push_back(std::move(info));
  }
  outputs.assign(output_count(*op), {});
  try {
    Inference inference(op->name(), attributes, infos, outputs);
    infer(*op, inference);
  } catch (const Error&) {
    return false;
  }
  return true;
}

std::string example_words(const Op& op) { return example_of(op); }

std::size_t main_input(const Op& op) {
  for (std::size_t i = 0; i < op.canonical.inputs.size(); ++i) {
    if (!op.is_host_input(i)) return i;
  }
  return 0;
}

std::optional<OpCall> call_of(const Op& op, const std::string& words, DType dtype) {
  const OpTrial trial{&op, words};
  OpCall call;
  call.op = &op;
  call.arguments = attributes_of(trial);
  try {
    for (const auto& [name, value] : call.arguments) {
      call.attributes.set(name, attribute_value(value));
    }
    check_attributes(op.name(), op.canonical, call.attributes);
  } catch (const Error&) {
    return std::nullopt;
  }
  const std::vector<Tensor> inputs = inputs_of(trial);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Literal value = inputs[i].defined() ? to_literal(inputs[i]) : Literal();
    if (inputs[i].defined() && is_of_main_type(op, i)) value = retyped(value, dtype);
    call.inputs.push_back(std::move(value));
  }
  if (!call.infers()) return std::nullopt;
  return call;
}

std::string resized(const std::string& words,
                    const std::function<std::int64_t(std::int64_t)>& extent) {
  return changed_words(words, [&](const std::string& word) {
    std::string result = word.substr(0, 1);
    std::istringstream shape(word.substr(1));
    for (std::string number; std::getline(shape, number, 'x');) {
      if (result.size() > 1) result += 'x';
      result += std::to_string(extent(std::stoll(number)));
    }
    return result;
  });
}

std::string of_lower_rank(const std::string& words) {
  return changed_words(words, [](const std::string& word) {
    const std::size_t first = word.find('x');
    const bool has_three = first != word.npos && word.find('x', first + 1) != word.npos;
    return has_three ? word.substr(0, 1) + word.substr(first + 1) : word;
  });
}

std::string as_scalars(const std::string& words) {
  return changed_words(words, [](const std::string& word) { return word.substr(0, 1); });
}

OpCall with_values(const OpCall& call,
                   const std::function<double(std::size_t position, double)>& change) {
  OpCall changed = call;
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    if (!call.has(i) || call.is_host_input(i) || !is_of_main_type(*call.op, i)) continue;
    if (is_complex(call.inputs[i].dtype())) continue;
    std::vector<double> values = to_doubles(call.inputs[i]);
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = change(k, values[k]);
    changed.inputs[i] = literal_of(call.inputs[i].dtype(), call.inputs[i].shape(), values);
  }
  return changed;
}

Literal literal_of(DType dtype, const Dims& shape, const std::vector<double>& values) {
  Literal literal(dtype, shape);
  const int width = bit_width(dtype);
  const auto size = static_cast<std::size_t>(width / 8);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (is_complex(dtype)) {
      const DType part = dtype == DType::complex64 ? DType::float32 : DType::float64;
      for (std::size_t half = 0; half < 2; ++half) {
        const Literal element = scalar_literal(part, half == 0 ? values[i] : values[i] / 2);
        std::memcpy(literal.mutable_bytes() + i * size + half * size / 2, element.bytes(),
                    size / 2);
      }
      continue;
    }
    if (width < 8) {
      const Literal element = dtype == DType::float4e2m1
                                  ? scalar_literal(dtype, values[i])
                                  : packed_literal(dtype, static_cast<std::int64_t>(values[i]));
      set_packed(literal, i, static_cast<std::uint8_t>(element.packed_bits(0)), width);
      continue;
    }
    const Literal element = scalar_literal(dtype, values[i]);
    std::memcpy(literal.mutable_bytes() + i * size, element.bytes(), size);
  }
  return literal;
}

Literal repeated(const Literal& value, std::size_t axis) {
  Literal result(value.dtype(), value.shape());
  const std::size_t size = static_cast<std::size_t>(bit_width(value.dtype()) / 8);
  std::size_t inner = size;
  for (std::size_t i = axis + 1; i < value.shape().size(); ++i) {
    inner *= static_cast<std::size_t>(value.shape()[i]);
  }
  const std::size_t whole = inner * static_cast<std::size_t>(value.shape()[axis]);
  for (std::size_t start = 0; start < value.size_bytes(); start += whole) {
    for (std::size_t at = 0; at < whole; at += inner) {
      std::memcpy(result.mutable_bytes() + start + at, value.bytes() + start, inner);
    }
  }
  return result;
}

}  // namespace switchyard::cli::conform

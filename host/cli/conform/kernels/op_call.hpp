// One call of an op: the values that it is given, made from the example of its row.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <switchyard/operation.hpp>
#include <vector>

#include "ops/row.hpp"

namespace switchyard::cli::conform {

/// An op with its attributes and inputs. An input of dtype undefined is left out.
struct OpCall {
  const Op* op = nullptr;
  AttributeArguments arguments;  // as a program gives them
  Attributes attributes;         // with their defaults
  std::vector<Literal> inputs;
  std::vector<ValueInfo> outputs;  // as the op's row infers them

  std::string_view name() const { return op->name(); }
  bool is_host_input(std::size_t i) const { return op->is_host_input(i); }
  bool has(std::size_t i) const { return inputs[i].dtype() != DType::undefined; }
  /// "float32 [2,3] and float32 [3]"
  std::string text() const;
  /// Infers the outputs of what the inputs are now; false if they break the op's rules.
  bool infers();
};

/// The words of an op's example (see trial_values.hpp); "" if it has none.
std::string example_words(const Op& op);

/// The call that these words make, its main type being `dtype`: that of the first input that a
/// device reads and of all that share its letter. Nothing if the op's rules do not allow it.
std::optional<OpCall> call_of(const Op& op, const std::string& words, DType dtype);

/// The words with each extent of each shape replaced by what `extent` makes of it.
std::string resized(const std::string& words,
                    const std::function<std::int64_t(std::int64_t)>& extent);

/// The words with the first extent of each shape of three or more left out.
std::string of_lower_rank(const std::string& words);

/// The words with the shape of every tensor of the commonest kind replaced by a scalar's.
std::string as_scalars(const std::string& words);

/// The first input that a device reads.
std::size_t main_input(const Op& op);

/// The same call with each element of the inputs of the main type put through `change`, which gets
/// its position.
OpCall with_values(const OpCall& call,
                   const std::function<double(std::size_t position, double)>& change);

/// Elements of a type: numbers rounded to it, complex ones with half of the number as their second
/// part.
Literal literal_of(DType dtype, const Dims& shape, const std::vector<double>& values);

/// The value with its first elements along `axis` in place of all others.
Literal repeated(const Literal& value, std::size_t axis);

}  // namespace switchyard::cli::conform

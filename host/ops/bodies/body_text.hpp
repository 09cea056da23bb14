#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "ops/inference.hpp"

namespace switchyard {

/// The nodes of a function body, written one after the other as ONNX text.
class BodyText {
 public:
  /// One line, such as `"Y = Softmax <axis = {}> (X)", axis`.
  template <typename... Args>
  void add(fmt::format_string<Args...> line, Args&&... args) {
    text_ += fmt::format(line, std::forward<Args>(args)...) + "\n";
  }

  /// A list of integers.
  void add_ints(std::string_view name, std::initializer_list<std::int64_t> values);
  void add_ints(std::string_view name, const std::vector<std::int64_t>& values);

  /// One number, of the type of the value `like`.
  void add_number(std::string_view name, double value, std::string_view like);

  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// Adds `checked`, the list of numbers in `input`, which has one for each element along the last
/// axis of the value `data`. Broadcasting would let other lengths pass, so the run checks it.
void add_last_axis_list(BodyText& body, std::string_view checked, std::string_view input,
                        std::string_view data);

/// Adds `checked`, the integers of the value `given`, which the run refuses under the `name` of the
/// op's input unless each lies from `least` to `most`; those hold one number.
void add_range_check(BodyText& body, std::string_view checked, std::string_view name,
                     std::string_view given, std::string_view least, std::string_view most);

/// Adds `scalar`, the one number that `input` holds as a scalar or as a list.
void add_scalar(BodyText& body, std::string_view scalar, std::string_view input);

}  // namespace switchyard

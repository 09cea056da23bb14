#include "ops/bodies/body_text.hpp"

#include <fmt/ranges.h>

namespace switchyard {

void BodyText::add_ints(std::string_view name, std::initializer_list<std::int64_t> values) {
  add_ints(name, std::vector<std::int64_t>(values));
}

void BodyText::add_ints(std::string_view name, const std::vector<std::int64_t>& values) {
  add("{} = Constant <value_ints: ints = [{}]> ()", name, fmt::join(values, ", "));
}

void BodyText::add_number(std::string_view name, double value, std::string_view like) {
  add("{}Float = Constant <value_float: float = {}> ()", name, value);
  add("{0} = CastLike ({0}Float, {1})", name, like);
}

void add_last_axis_list(BodyText& body, std::string_view checked, std::string_view input,
                        std::string_view data) {
  body.add("{}Length = Shape <start = -1> ({})", checked, data);
  body.add("{0} = Reshape <allowzero = 1> ({1}, {0}Length)", checked, input);
}

void add_range_check(BodyText& body, std::string_view checked, std::string_view name,
                     std::string_view given, std::string_view least, std::string_view most) {
  body.add("{} = switchyard.AssertRange <name = \"{}\"> ({}, {}, {})", checked, name, given, least,
           most);
}

void add_scalar(BodyText& body, std::string_view scalar, std::string_view input) {
  body.add_ints(fmt::format("{}Shape", scalar), std::vector<std::int64_t>{});
  body.add("{0} = Reshape ({1}, {0}Shape)", scalar, input);
}

}  // namespace switchyard

#include "ops/shapes/constraints.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "ops/shapes/elementwise/elementwise.hpp"
#include "ops/shapes/movement/extents.hpp"
#include "types/describe.hpp"

namespace switchyard {

namespace {

[[noreturn]] void fail_shape(const Inference& node, std::size_t input, std::string_view name,
                             std::string_view wanted) {
  node.mismatch(fmt::format("input {} (\"{}\") has shape {}; it must be {}", input, name,
                            describe(node.shape(input)), wanted));
}

bool may_be(const Dims& shape, const Dims& wanted) {
  return std::equal(shape.begin(), shape.end(), wanted.begin(), wanted.end(),
                    [](std::int64_t a, std::int64_t b) { return may_equal(a, b); });
}

std::string count_text(std::int64_t count) {
  return count == kUnknown ? "" : fmt::format(" {}", count);
}

}  // namespace

void refuse_input(const Inference& node, std::size_t input, std::string_view name) {
  if (node.has(input)) node.fail(fmt::format("its input {} ({}) is not supported", input, name));
}

bool may_be_one_element(const Inference& node, std::size_t input) {
  if (!node.has_rank(input)) return true;
  const Dims& shape = node.shape(input);
  return shape.empty() || (shape.size() == 1 && may_equal(shape[0], 1));
}

void require_one_element(const Inference& node, std::size_t input, std::string_view name) {
  if (!may_be_one_element(node, input)) fail_shape(node, input, name, "a scalar or [1]");
}

void require_list(const Inference& node, std::size_t input, std::string_view name) {
  if (!node.has_rank(input) || node.rank(input) <= 1) return;
  fail_shape(node, input, name, "a list, of rank 1");
}

void require_one_for_each(const Inference& node, std::size_t input, std::string_view name,
                          std::int64_t count, std::string_view of_what) {
  if (!node.has_rank(input) || may_be(node.shape(input), {count})) return;
  fail_shape(node, input, name,
             fmt::format("{}: one number for each of the{} {}", describe(Dims{count}),
                         count_text(count), of_what));
}

void require_one_or_one_for_each(const Inference& node, std::size_t input, std::string_view name,
                                 std::int64_t count, std::string_view of_what) {
  if (may_be_one_element(node, input) || may_be(node.shape(input), {count})) return;
  fail_shape(node, input, name,
             fmt::format("a scalar or {}: one number for each of the{} {}", describe(Dims{count}),
                         count_text(count), of_what));
}

void require_shape(const Inference& node, std::size_t input, std::string_view name,
                   const Dims& wanted, std::string_view form) {
  if (!node.has_rank(input) || may_be(node.shape(input), wanted)) return;
  fail_shape(node, input, name, fmt::format("{}: {}", describe(wanted), form));
}

void require_broadcast_to(const Inference& node, std::size_t input, std::string_view name,
                          const Dims& target) {
  if (!node.has_rank(input) || fits_into(node.shape(input), target)) return;
  fail_shape(node, input, name,
             fmt::format("one that broadcasts to {}: counted from the last, each extent must be "
                         "1 or the same",
                         describe(target)));
}

void require_samples(const Inference& node, const Dims& result) {
  if (!node.has_rank(0) || product(node.shape(0).span()) != 0) return;
  if (product(result.span()) <= 0) return;
  node.mismatch(fmt::format("{} holds no element, of which {} cannot be made",
                            describe(node.shape(0)), describe(result)));
}

bool fits_into(const Dims& shape, const Dims& target) {
  if (shape.size() > target.size()) return false;
  const std::size_t offset = target.size() - shape.size();
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] != 1 && !may_equal(shape[i], target[offset + i])) return false;
  }
  return true;
}

std::int64_t attribute_within(const Inference& node, std::string_view name, std::int64_t otherwise,
                              std::int64_t least, std::int64_t most) {
  const std::int64_t value = node.attributes().get_int(name, otherwise);
  if (value >= least && value <= most) return value;
  if (value < least) node.fail(fmt::format("{} is {}; it must be at least {}", name, value, least));
  node.fail(fmt::format("{} is {}; it must be at most {}", name, value, most));
}

}  // namespace switchyard

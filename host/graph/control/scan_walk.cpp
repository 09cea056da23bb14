#include "graph/control/scan_walk.hpp"

#include <fmt/format.h>

#include <switchyard/error.hpp>

namespace switchyard::control {
namespace {

[[noreturn]] void fail(const std::string& what) {
  throw Error(ErrorKind::model, fmt::format("[Scan] {}", what));
}

std::vector<std::int64_t> numbers(const Attributes& attributes, std::string_view name,
                                  std::size_t count, std::string_view of_what) {
  if (!attributes.has(name)) return std::vector<std::int64_t>(count, 0);
  std::vector<std::int64_t> values = attributes.get_ints(name);
  if (values.size() == count) return values;
  fail(fmt::format("{} holds {} numbers; it must hold {}, one for each {}", name, values.size(),
                   count, of_what));
}

std::vector<std::int64_t> directions(const Attributes& attributes, std::string_view name,
                                     std::size_t count, std::string_view of_what) {
  std::vector<std::int64_t> values = numbers(attributes, name, count, of_what);
  for (const std::int64_t value : values) {
    if (value != 0 && value != 1) {
      fail(fmt::format("{} holds {}; each must be 0 (forward) or 1 (reverse)", name, value));
    }
  }
  return values;
}

}  // namespace

std::size_t scan_states(const Attributes& attributes, std::size_t inputs) {
  const std::int64_t scanned = attributes.get_int("num_scan_inputs", 0);
  if (scanned >= 1 && scanned <= static_cast<std::int64_t>(inputs)) {
    return inputs - static_cast<std::size_t>(scanned);
  }
  fail(fmt::format("num_scan_inputs is {}; it must be from 1 to the number of inputs, {}", scanned,
                   inputs));
}

ScanLists scanned_inputs(const Attributes& attributes, std::size_t count) {
  constexpr std::string_view kOfWhat = "scanned input";
  return {numbers(attributes, kScanInputAxes, count, kOfWhat),
          directions(attributes, "scan_input_directions", count, kOfWhat)};
}

ScanLists collected_outputs(const Attributes& attributes, std::size_t count) {
  constexpr std::string_view kOfWhat = "output that is not a state";
  return {numbers(attributes, kScanOutputAxes, count, kOfWhat),
          directions(attributes, "scan_output_directions", count, kOfWhat)};
}

std::size_t scan_axis(std::string_view attribute, std::int64_t axis, std::size_t rank) {
  const auto signed_rank = static_cast<std::int64_t>(rank);
  if (axis < -signed_rank || axis >= signed_rank) {
    fail(fmt::format("{} holds {}, which lies outside a rank of {}", attribute, axis, rank));
  }
  return static_cast<std::size_t>(axis < 0 ? axis + signed_rank : axis);
}

}  // namespace switchyard::control

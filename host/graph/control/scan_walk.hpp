#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "ops/attributes.hpp"

// How a Scan walks, read from its attributes and checked: when a model is loaded, as far as it is
// known, and in the run. Each throws Error(model) that names the attribute.
namespace switchyard::control {

/// How many of the node's inputs are states: those before the scanned ones.
std::size_t scan_states(const Attributes& attributes, std::size_t inputs);

/// One number for each of `count` scanned inputs, or of the outputs that are collected. Axes as
/// they were given, directions 0 or 1; both are 0 where the attribute is left out.
struct ScanLists {
  std::vector<std::int64_t> axes, directions;
};
ScanLists scanned_inputs(const Attributes& attributes, std::size_t count);
ScanLists collected_outputs(const Attributes& attributes, std::size_t count);

inline constexpr std::string_view kScanInputAxes = "scan_input_axes";
inline constexpr std::string_view kScanOutputAxes = "scan_output_axes";

/// An axis of the attribute brought into [0, rank).
std::size_t scan_axis(std::string_view attribute, std::int64_t axis, std::size_t rank);

}  // namespace switchyard::control

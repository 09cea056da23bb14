#pragma once

#include <cstdint>
#include <vector>

#include "routing/call.hpp"

namespace switchyard {

/// A copy of all that a route may depend on.
struct RouteKey {
  const Op* op = nullptr;
  Attributes attributes;
  std::uint32_t math_flags = 0;
  Purpose purpose = Purpose::ordinary;
  OpenDevice* placement = nullptr;
  std::uint64_t wanted_outputs = 0;
  struct Input {
    DType dtype;
    Dims shape, strides;
    std::uint64_t constant_id;
    Literal literal;  // host inputs
    bool contiguous;
    bool may_be_immediate;
  };
  std::vector<Input> inputs;

  explicit RouteKey(const RouteRequest& request);
  /// The same call in all that a route may depend on.
  bool matches(const RouteRequest& request) const;
  /// The same call in all that a kernel was specialised on, by program input.
  bool matches(const RouteRequest& request, const std::vector<std::uint8_t>& specialised_on) const;

 private:
  bool same_call(const RouteRequest& request) const;
};

}  // namespace switchyard

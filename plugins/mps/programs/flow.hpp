// How values flow through a program: who makes them, what is seen in what, and what nobody needs.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ops/movement/view.hpp"
#include "switchyard/plugin/program.hpp"

namespace mps {

// Values and nodes by their index in the program. Refers to the program.
struct Flow {
  // A value that a view makes, and the value that it is seen in.
  struct Seen {
    uint32_t source;
    View view;
  };

  const sy_program& program;
  std::vector<sy::Node> nodes;
  std::vector<uint32_t> maker;            // of each value its node; SY_ABSENT: a program input
  std::vector<std::optional<Seen>> seen;  // of each value; only where somebody needs it
  std::vector<uint32_t> live;             // the nodes that somebody needs, but for views, in order
  std::vector<std::vector<uint32_t>>
      users;                    // of each value: live nodes that read it or a view of it
  std::vector<bool> is_output;  // of each value
  std::vector<bool> is_shown;   // of each value: it, or a view of it, is an output

  const sy_value& value(uint32_t index) const { return *SY_AT(sy_value, program.values, index); }
  // True if a node beside `nodes`, or the program's user, reads the value or a view of it.
  bool is_read_beside(uint32_t value, const std::vector<uint32_t>& nodes) const;
  // The value that is not a view, in which `value` is seen.
  uint32_t root(uint32_t value) const;
};

// Throws sy::unsupported where a view cannot be known.
Flow flow_of(const sy_program& program);

// True if a tensor whose root is contiguous has strides that show it.
bool is_strided_view(const Flow& flow, uint32_t value);

}  // namespace mps

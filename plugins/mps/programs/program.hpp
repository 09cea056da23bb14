// A program of many nodes, made ready: entries for a command buffer, and where their values lie.
#pragma once

#include <switchyard/plugin.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ops/movement/view.hpp"
#include "programs/cut.hpp"
#include "programs/placement.hpp"
#include "runtime/device.hpp"
#include "runtime/stream.hpp"

namespace mps {

// Cutting a program and placing its values compares its nodes with each other, so that its time and
// memory grow with the square of their number. The host cuts longer programs into several.
inline constexpr uint32_t most_program_nodes = 2048;

// Where a value lies in a run.
struct Location {
  enum class Kind : uint8_t {
    absent,
    input,      // of the program
    host,       // an input that lies in host memory
    output,     // of the program
    workspace,  // Program::slots
    view        // Program::views
  };
  Kind kind = Kind::absent;
  uint32_t index = 0;
};

// Immutable; may run on several streams at once, each time with another workspace.
class Program {
 public:
  // Throws sy::unsupported where a node has no kernel, or where there are too many nodes.
  Program(Device& device, const sy_program& program);

  // An intermediate in the workspace, contiguous.
  struct Slot {
    sy_dtype dtype;
    sy::Dimensions shape;
    uint64_t bytes;
    uint64_t offset;
  };
  struct SeenLocation {
    Location source;
    View view;
  };
  struct Entry {
    std::string name;  // in the profile
    Piece::Kind kind;
    std::unique_ptr<Kernel> kernel;
    std::vector<Location> inputs;
    std::vector<Location> outputs;
  };

  const std::vector<Entry>& entries() const { return entries_; }
  const std::vector<Slot>& slots() const { return slots_; }
  uint64_t workspace_bytes() const { return workspace_bytes_; }
  // That its entries read and write.
  uint64_t touched_bytes() const { return touched_bytes_; }

  void encode(Stream& stream, const sy_run_args& args) const;

 private:
  friend class Assembly;
  class Binding;

  Device& device_;
  const uint64_t alignment_;  // of slots
  std::vector<Entry> entries_;
  std::vector<Slot> slots_;
  std::vector<SeenLocation> views_;
  uint64_t workspace_bytes_ = 0;
  uint64_t touched_bytes_ = 0;
};

}  // namespace mps

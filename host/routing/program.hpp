#pragma once

#include <switchyard/plugin.h>

#include <span>
#include <string>
#include <vector>

#include "ops/inference.hpp"
#include "routing/call.hpp"
#include "routing/program_attributes.hpp"

namespace switchyard {

/// A program of one node in the ABI's form. Every input that is present is a program input of its
/// own, in the node's order, and so are the outputs.
class NodeProgram {
 public:
  NodeProgram(const RouteRequest& request, std::span<const ValueInfo> outputs);
  NodeProgram(const NodeProgram&) = delete;
  NodeProgram& operator=(const NodeProgram&) = delete;

  const sy_program& get() const { return program_; }

  /// Offers the inputs in `mask` (by the node's numbering) as contiguous.
  void make_contiguous(std::uint64_t mask);
  /// Offers scalars that the host holds as immediates, if a claim of these SY_CLAIM_* takes them.
  void fit_to(std::uint32_t claim_flags);
  /// Of the claim that it was fitted to last; at first 0.
  std::uint32_t claim_flags() const { return claim_flags_; }
  /// The inputs that are offered as immediates, by the node's numbering.
  std::uint64_t immediates() const;

  /// Which node input each program input is.
  const std::vector<std::uint32_t>& input_positions() const { return input_positions_; }
  const std::vector<std::uint32_t>& output_positions() const { return output_positions_; }

 private:
  void add_input(const TensorDescriptor& descriptor, bool host_input);
  void add_output(const ValueInfo& info, bool wanted);

  std::vector<sy_value> values_;
  const ProgramAttributes attributes_;
  std::vector<std::uint32_t> node_inputs_, node_outputs_, inputs_, outputs_;
  std::vector<std::uint32_t> input_positions_, output_positions_;
  std::vector<Dims> output_shapes_;
  std::uint64_t host_scalars_ = 0;  // inputs, by the node's numbering
  std::uint32_t claim_flags_ = 0;
  sy_node node_{};
  sy_program program_{};
};

/// "Relu", or "a program of 3 nodes": for people.
std::string summary_of(const sy_program& program);

}  // namespace switchyard

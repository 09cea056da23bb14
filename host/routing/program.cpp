#include "routing/program.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace switchyard {

NodeProgram::NodeProgram(const RouteRequest& request, std::span<const ValueInfo> outputs)
    : attributes_(request.site.attributes) {
  values_.reserve(request.inputs.size() + outputs.size());
  output_shapes_.reserve(outputs.size());
  for (std::size_t i = 0; i < request.inputs.size(); ++i) {
    add_input(request.inputs[i], request.site.op->is_host_input(i));
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    add_output(outputs[i], (request.wanted_outputs & mask_bit(i)) != 0);
  }
  const Op& op = *request.site.op;
  node_.struct_size = sizeof(node_);
  node_.version = static_cast<std::uint32_t>(op.version());
  node_.domain = op.row->domain.data();
  node_.op = op.row->op.data();
  node_.math_flags = request.site.math_flags;
  node_.attribute_count = static_cast<std::uint32_t>(attributes_.get().size());
  node_.attributes = attributes_.get().data();
  node_.inputs = node_inputs_.data();
  node_.outputs = node_outputs_.data();
  node_.input_count = static_cast<std::uint32_t>(node_inputs_.size());
  node_.output_count = static_cast<std::uint32_t>(node_outputs_.size());

  program_.struct_size = sizeof(program_);
  program_.value_count = static_cast<std::uint32_t>(values_.size());
  program_.values = values_.data();
  program_.nodes = &node_;
  program_.node_count = 1;
  program_.inputs = inputs_.data();
  program_.input_count = static_cast<std::uint32_t>(inputs_.size());
  program_.outputs = outputs_.data();
  program_.output_count = static_cast<std::uint32_t>(outputs_.size());
}

void NodeProgram::add_input(const TensorDescriptor& descriptor, bool host_input) {
  if (!descriptor.present()) {
    node_inputs_.push_back(SY_ABSENT);
    return;
  }
  const auto index = static_cast<std::uint32_t>(values_.size());
  // The mask's last bit stands for several inputs.
  if (descriptor.may_be_immediate && !host_input && node_inputs_.size() < 63) {
    host_scalars_ |= mask_bit(node_inputs_.size());
  }
  input_positions_.push_back(static_cast<std::uint32_t>(node_inputs_.size()));
  node_inputs_.push_back(index);
  inputs_.push_back(index);
  sy_value value{};
  value.struct_size = sizeof(value);
  value.dtype = static_cast<sy_dtype>(descriptor.dtype);
  value.rank =
      descriptor.rank_known ? static_cast<std::uint32_t>(descriptor.shape.size()) : SY_UNKNOWN_RANK;
  value.shape = descriptor.shape.data();
  value.strides = descriptor.strides.empty() ? nullptr : descriptor.strides.data();
  if (host_input) value.flags |= SY_VALUE_HOST_INPUT;
  if (descriptor.constant_id != 0) {
    value.flags |= SY_VALUE_CONSTANT;
    value.constant_id = descriptor.constant_id;
  }
  if (descriptor.literal && (host_input || descriptor.constant_id != 0)) {
    value.data = descriptor.literal->bytes();
  }
  values_.push_back(value);
}

void NodeProgram::add_output(const ValueInfo& info, bool wanted) {
  if (!wanted) {
    node_outputs_.push_back(SY_ABSENT);
    return;
  }
  const auto index = static_cast<std::uint32_t>(values_.size());
  output_positions_.push_back(static_cast<std::uint32_t>(node_outputs_.size()));
  node_outputs_.push_back(index);
  outputs_.push_back(index);
  sy_value value{};
  value.struct_size = sizeof(value);
  value.dtype = static_cast<sy_dtype>(info.dtype);
  value.rank = SY_UNKNOWN_RANK;
  if (info.shape) {
    output_shapes_.push_back(*info.shape);
    if (info.bounded)
      std::fill(output_shapes_.back().begin(), output_shapes_.back().end(), kUnknown);
    value.rank = static_cast<std::uint32_t>(output_shapes_.back().size());
    value.shape = output_shapes_.back().data();
  }
  values_.push_back(value);
}

void NodeProgram::make_contiguous(std::uint64_t mask) {
  for (std::size_t i = 0; i < input_positions_.size(); ++i) {
    if (mask & mask_bit(input_positions_[i])) values_[inputs_[i]].strides = nullptr;
  }
}

void NodeProgram::fit_to(std::uint32_t claim_flags) {
  claim_flags_ = claim_flags;
  const bool offered = immediates() != 0;
  for (std::size_t i = 0; i < input_positions_.size(); ++i) {
    if (!(host_scalars_ & mask_bit(input_positions_[i]))) continue;
    std::uint32_t& flags = values_[inputs_[i]].flags;
    flags = offered ? flags | SY_VALUE_IMMEDIATE : flags & ~std::uint32_t{SY_VALUE_IMMEDIATE};
  }
}

std::uint64_t NodeProgram::immediates() const {
  return (claim_flags_ & SY_CLAIM_IMMEDIATES) != 0 ? host_scalars_ : 0;
}

std::string summary_of(const sy_program& program) {
  if (program.node_count == 1) return program.nodes->op;
  return fmt::format("a program of {} nodes", program.node_count);
}

}  // namespace switchyard

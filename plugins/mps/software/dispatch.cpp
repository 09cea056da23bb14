#include "software/dispatch.hpp"

#include <algorithm>

#include "software/executor/executor.hpp"

namespace mps::software {
namespace {

constexpr uint32_t max_buffers = 31;
constexpr size_t max_value_bytes = 4096;

const Pipeline& software_pipeline(const seam::Pipeline* pipeline) {
  const auto* const found = dynamic_cast<const Pipeline*>(pipeline);
  if (!found) {
    throw seam::Failure(seam::Fault::invalid, "dispatch without a pipeline of this device");
  }
  return *found;
}

}  // namespace

RecordedDispatch::RecordedDispatch(const seam::Dispatch& dispatch)
    : pipeline_(software_pipeline(dispatch.pipeline)) {
  call_.kernel = &pipeline_.kernel();
  pipeline_.give_constants(call_);
  call_.threads = dispatch.threads;
  call_.group = dispatch.group;
  call_.group_memory.assign(dispatch.group_bytes.begin(), dispatch.group_bytes.end());
  check_sizes(dispatch);
  check_group_memory();
  for (const seam::Argument& argument : dispatch.arguments) bind(argument);
  for (unsigned i = 0; i < call_.kernel->parameter_count; ++i) {
    check_parameter(call_.kernel->parameters[i]);
  }
}

void RecordedDispatch::refuse(const std::string& message) const {
  throw seam::Failure(seam::Fault::invalid, std::string(call_.kernel->name) + ": " + message);
}

void RecordedDispatch::check_sizes(const seam::Dispatch& dispatch) const {
  const auto has_none = [](const seam::Size& size) {
    return std::find(size.begin(), size.end(), 0u) != size.end();
  };
  if (has_none(dispatch.threads)) refuse("a dispatch of no threads");
  if (has_none(dispatch.group)) refuse("a threadgroup of no threads");
  uint64_t group_threads = 1;  // extents above the most are enough to refuse, and do not overflow
  for (const uint32_t extent : dispatch.group) {
    group_threads *= std::min(extent, max_group_threads + 1);
  }
  if (group_threads > max_group_threads) {
    refuse("a threadgroup of " + std::to_string(dispatch.group[0]) + " x " +
           std::to_string(dispatch.group[1]) + " x " + std::to_string(dispatch.group[2]) +
           " threads, the most is " + std::to_string(max_group_threads));
  }
}

void RecordedDispatch::check_group_memory() const {
  uint64_t sum = 0;
  for (const uint32_t bytes : call_.group_memory) {
    if (bytes % 16 != 0) {
      refuse(std::to_string(bytes) + " bytes of threadgroup memory are not a multiple of 16");
    }
    sum += bytes;
  }
  if (sum > max_group_memory) {
    refuse(std::to_string(sum) + " bytes of threadgroup memory, the most is " +
           std::to_string(max_group_memory));
  }
}

void RecordedDispatch::bind(const seam::Argument& argument) {
  const std::string what = "[[buffer(" + std::to_string(argument.index) + ")]]";
  if (argument.index >= max_buffers) refuse(what + " is bound, the last index is 30");
  if (bound(argument.index)) refuse(what + " is bound twice");
  if (argument.buffer) {
    const size_t size = software_buffer(argument.buffer).size();
    if (argument.offset % 4 != 0 || argument.offset >= size) {
      refuse(what + " is bound at offset " + std::to_string(argument.offset) +
             ", which is not a multiple of 4 within the buffer's " + std::to_string(size) +
             " bytes");
    }
  } else if (argument.bytes.empty() || argument.bytes.size() > max_value_bytes) {
    refuse(what + " is given " + std::to_string(argument.bytes.size()) +
           " bytes by value; from 1 to 4096 can be");
  }
  bound_.push_back({argument.index,
                    argument.buffer,
                    argument.offset,
                    {argument.bytes.begin(), argument.bytes.end()}});
}

const RecordedDispatch::Bound* RecordedDispatch::bound(uint32_t index) const {
  const auto found = std::find_if(bound_.begin(), bound_.end(),
                                  [&](const Bound& bound) { return bound.index == index; });
  return found == bound_.end() ? nullptr : &*found;
}

void RecordedDispatch::check_parameter(const msl::Parameter& parameter) const {
  if (parameter.role == msl::Role::buffer) return check_buffer(parameter);
  if (parameter.role != msl::Role::group_memory) return;
  const bool given = parameter.index < call_.group_memory.size() &&
                     call_.group_memory[parameter.index] >= parameter.size;
  if (!given) {
    refuse("[[threadgroup(" + std::to_string(parameter.index) + ")]] is not given " +
           std::to_string(parameter.size) + " bytes or more");
  }
}

void RecordedDispatch::check_buffer(const msl::Parameter& parameter) const {
  const std::string what = "[[buffer(" + std::to_string(parameter.index) + ")]]";
  const Bound* const given = bound(parameter.index);
  if (!given) refuse(what + " is not bound");
  if (!given->buffer && parameter.writes) refuse(what + " is written, but given by value");
  if (given->offset % parameter.alignment != 0) {
    refuse(what + " is bound at offset " + std::to_string(given->offset) +
           "; its elements lie at multiples of " + std::to_string(parameter.alignment));
  }
  const size_t there = given->buffer ? given->buffer->size() - given->offset : given->bytes.size();
  if (parameter.reference && there < parameter.size) {
    refuse(what + " has " + std::to_string(there) + " bytes, the kernel reads " +
           std::to_string(parameter.size));
  }
}

void RecordedDispatch::run(Executor& executor) {
  call_.buffers.clear();
  for (Bound& bound : bound_) {
    if (bound.index >= call_.buffers.size()) call_.buffers.resize(bound.index + 1, nullptr);
    call_.buffers[bound.index] =
        bound.buffer ? software_buffer(bound.buffer).contents() + bound.offset : bound.bytes.data();
  }
  executor.run(call_);
}

}  // namespace mps::software

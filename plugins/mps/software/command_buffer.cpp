#include "software/command_buffer.hpp"

#include <chrono>
#include <cstring>

#include "software/dispatch.hpp"
#include "software/executor/executor.hpp"
#include "software/interpreter/interpreter.hpp"
#include "software/memory.hpp"
#include "software/queue.hpp"
#include "software/refusal.hpp"

namespace mps::software {
namespace {

double now() {
  const auto since_start = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(since_start).count();
}

void check_range(const seam::Ref<seam::Buffer>& buffer, size_t offset, size_t bytes,
                 const char* what) {
  const size_t size = software_buffer(buffer).size();
  if (offset % 4 != 0 || bytes % 4 != 0) {
    refuse_invalid(std::string(what) + " of " + std::to_string(bytes) + " bytes at offset " +
                   std::to_string(offset) + ": both must be multiples of 4");
  }
  if (offset > size || bytes > size - offset) {
    refuse_invalid(std::string(what) + " of " + std::to_string(bytes) + " bytes at offset " +
                   std::to_string(offset) + " of a buffer of " + std::to_string(size));
  }
}

const seam::Graph& graph_of(const seam::Ref<seam::Executable>& executable) {
  const auto* const found = dynamic_cast<const Executable*>(executable.get());
  if (!found) refuse_invalid("not an executable of the software device");
  return found->graph();
}

uint64_t bytes_of(const seam::TensorType& type) {
  constexpr uint64_t sizes[] = {4, 2, 2, 1, 1, 2, 4, 8, 1};  // by ElementType
  uint64_t bytes = sizes[static_cast<size_t>(type.element)];
  for (const int64_t extent : type.shape) bytes *= static_cast<uint64_t>(extent);
  return bytes;
}

using Buffers = std::vector<seam::Ref<seam::Buffer>>;

void check_tensors(const seam::Graph& graph, const std::vector<uint32_t>& nodes,
                   const Buffers& buffers, const char* what) {
  if (nodes.size() != buffers.size()) {
    refuse_invalid("a graph of " + std::to_string(nodes.size()) + " " + what + "s is given " +
                   std::to_string(buffers.size()));
  }
  for (size_t i = 0; i < nodes.size(); ++i) {
    const uint64_t bytes = bytes_of(graph.nodes[nodes[i]].type);
    if (software_buffer(buffers[i]).size() < bytes) {
      refuse_invalid(std::string(what) + " " + std::to_string(i) + " of a graph has " +
                     std::to_string(bytes) + " bytes, its buffer " +
                     std::to_string(buffers[i]->size()));
    }
  }
}

template <typename Pointer>
std::vector<Pointer> contents_of(const Buffers& buffers) {
  std::vector<Pointer> result;
  for (const auto& buffer : buffers) result.push_back(software_buffer(buffer).contents());
  return result;
}

}  // namespace

void CommandBuffer::check_recording() const {
  const std::lock_guard lock(guard_);
  if (state_ != seam::State::recording) refuse_invalid("the command buffer has been committed");
}

void CommandBuffer::record(Command command) {
  if (execute_) commands_.push_back(std::move(command));
}

void CommandBuffer::dispatch(const seam::Dispatch& dispatch) {
  check_recording();
  const auto recorded = std::make_shared<RecordedDispatch>(dispatch);
  record([recorded](Executor& executor) { recorded->run(executor); });
}

void CommandBuffer::copy(const seam::Ref<seam::Buffer>& source, size_t source_offset,
                         const seam::Ref<seam::Buffer>& destination, size_t destination_offset,
                         size_t bytes) {
  check_recording();
  check_range(source, source_offset, bytes, "copy");
  check_range(destination, destination_offset, bytes, "copy");
  record([=](Executor&) {
    std::memmove(software_buffer(destination).contents() + destination_offset,
                 software_buffer(source).contents() + source_offset, bytes);
  });
}

void CommandBuffer::fill(const seam::Ref<seam::Buffer>& buffer, size_t offset, size_t bytes,
                         uint8_t value) {
  check_recording();
  check_range(buffer, offset, bytes, "fill");
  record(
      [=](Executor&) { std::memset(software_buffer(buffer).contents() + offset, value, bytes); });
}

void CommandBuffer::run(const seam::Ref<seam::Executable>& executable,
                        std::span<const seam::Ref<seam::Buffer>> inputs,
                        std::span<const seam::Ref<seam::Buffer>> outputs) {
  check_recording();
  const seam::Graph& graph = graph_of(executable);
  const Buffers given(inputs.begin(), inputs.end());
  const Buffers wanted(outputs.begin(), outputs.end());
  check_tensors(graph, graph.inputs, given, "input");
  check_tensors(graph, graph.outputs, wanted, "output");
  record([executable, &graph, given, wanted](Executor&) {
    interpret(graph, contents_of<const std::byte*>(given), contents_of<std::byte*>(wanted));
  });
}

void CommandBuffer::wait(const seam::Ref<seam::Event>& event, uint64_t value) {
  check_recording();
  if (!event) refuse_invalid("wait without an event");
  commands_.push_back([=](Executor&) { event->wait(value, UINT64_MAX); });
}

void CommandBuffer::signal(const seam::Ref<seam::Event>& event, uint64_t value) {
  check_recording();
  if (!event) refuse_invalid("signal without an event");
  commands_.push_back([=](Executor&) { event->signal(value); });
}

void CommandBuffer::begin_section() {
  check_recording();
  section_begins_.push_back(commands_.size());
}

void CommandBuffer::on_complete(std::function<void(seam::State, const std::string&)> callback) {
  check_recording();
  callbacks_.push_back(std::move(callback));
}

void CommandBuffer::commit() {
  {
    const std::lock_guard lock(guard_);
    if (state_ != seam::State::recording) {
      refuse_invalid("the command buffer has been committed before");
    }
    state_ = seam::State::committed;
  }
  queue_->push(shared_from_this());
}

void CommandBuffer::execute(Executor& executor) {
  seam::State state = seam::State::completed;
  std::string message;
  interval_.begin = now();
  try {
    run_commands(executor);
  } catch (const std::exception& failure) {
    state = seam::State::failed;
    message = failure.what();
  }
  interval_.end = now();
  finish(state, message);
}

void CommandBuffer::run_commands(Executor& executor) {
  size_t next_section = 0;
  for (size_t i = 0; i <= commands_.size(); ++i) {
    for (; next_section < section_begins_.size() && section_begins_[next_section] == i;
         ++next_section) {
      const double time = now();
      if (!sections_.empty()) sections_.back().end = time;
      sections_.push_back({time, time});
    }
    if (i < commands_.size()) commands_[i](executor);
  }
  if (!sections_.empty()) sections_.back().end = now();
}

void CommandBuffer::finish(seam::State state, const std::string& message) {
  commands_.clear();
  for (const auto& callback : callbacks_) callback(state, message);
  callbacks_.clear();
  queue_.reset();
  {
    const std::lock_guard lock(guard_);
    state_ = state;
  }
  done_.notify_all();
}

seam::State CommandBuffer::wait_until_done() {
  std::unique_lock lock(guard_);
  if (state_ == seam::State::recording) refuse_invalid("the command buffer has not been committed");
  done_.wait(lock,
             [&] { return state_ == seam::State::completed || state_ == seam::State::failed; });
  return state_;
}

seam::Interval CommandBuffer::interval() const { return interval_; }

std::vector<seam::Interval> CommandBuffer::sections() const { return sections_; }

}  // namespace mps::software

// Commands, recorded on the host and run by a queue's thread.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "seam/seam.hpp"

namespace mps::software {

class Executor;
class Queue;

class Executable final : public seam::Executable {
 public:
  explicit Executable(const seam::Graph& graph) : graph_(graph) {}
  const seam::Graph& graph() const { return graph_; }

 private:
  const seam::Graph graph_;
};

class CommandBuffer final : public seam::CommandBuffer,
                            public std::enable_shared_from_this<CommandBuffer> {
 public:
  // `execute` false: only events do their work.
  CommandBuffer(std::shared_ptr<Queue> queue, bool execute)
      : queue_(std::move(queue)), execute_(execute) {}

  void dispatch(const seam::Dispatch& dispatch) override;
  void copy(const seam::Ref<seam::Buffer>& source, size_t source_offset,
            const seam::Ref<seam::Buffer>& destination, size_t destination_offset,
            size_t bytes) override;
  void fill(const seam::Ref<seam::Buffer>& buffer, size_t offset, size_t bytes,
            uint8_t value) override;
  void run(const seam::Ref<seam::Executable>& executable,
           std::span<const seam::Ref<seam::Buffer>> inputs,
           std::span<const seam::Ref<seam::Buffer>> outputs) override;
  void wait(const seam::Ref<seam::Event>& event, uint64_t value) override;
  void signal(const seam::Ref<seam::Event>& event, uint64_t value) override;
  void begin_section() override;
  void on_complete(std::function<void(seam::State, const std::string&)> callback) override;
  void commit() override;
  seam::State wait_until_done() override;
  seam::Interval interval() const override;
  std::vector<seam::Interval> sections() const override;

  // By the queue's thread.
  void execute(Executor& executor);

 private:
  using Command = std::function<void(Executor&)>;

  void check_recording() const;
  void record(Command command);
  void run_commands(Executor& executor);
  void finish(seam::State state, const std::string& message);

  std::shared_ptr<Queue> queue_;  // until done
  const bool execute_;
  std::vector<Command> commands_;
  std::vector<size_t> section_begins_;  // in commands_
  std::vector<std::function<void(seam::State, const std::string&)>> callbacks_;

  mutable std::mutex guard_;
  std::condition_variable done_;
  seam::State state_ = seam::State::recording;
  seam::Interval interval_;
  std::vector<seam::Interval> sections_;
};

}  // namespace mps::software

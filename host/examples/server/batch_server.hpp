// The core of a server: requests of many threads become batches of one model.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <future>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include <switchyard/model.hpp>
#include <switchyard/run.hpp>
#include <switchyard/runtime.hpp>

/// What was served so far.
struct ServerStatistics {
  std::uint64_t served = 0, late = 0, failed = 0, batches = 0;
  std::vector<double> milliseconds = {};  // from submission to answer, of each that was served
};

/// Serves a model whose first input and output have the batch as their first, free dimension.
class BatchServer {
 public:
  using Clock = std::chrono::steady_clock;
  struct Options {
    std::size_t max_batch = 8;
    int workers = 2;
  };

  BatchServer(const switchyard::Runtime& runtime, const std::filesystem::path& model,
              const Options& options);
  /// Answers what was submitted.
  ~BatchServer();

  /// The model's output for one example. Throws Error(invalid_argument) for an example of another
  /// size than the model takes. The future has Error(deadline) where there was no time.
  std::future<std::vector<float>> submit(std::vector<float> example, Clock::time_point deadline);
  /// Requests from now on get this model, which takes examples of the same size; those under way
  /// are not disturbed. Throws Error(invalid_argument) for another size.
  void reload(const std::filesystem::path& model);
  ServerStatistics statistics() const;

 private:
  struct Request {
    std::vector<float> example;
    Clock::time_point submitted, deadline;
    std::promise<std::vector<float>> answer;
    bool is_answered = false;
  };

  void work();
  std::vector<Request> next_batch();
  void serve(switchyard::Run& run, std::span<Request> batch);
  std::vector<float> outputs_of(switchyard::Run& run, std::span<const Request> batch);
  void answer(std::span<Request> batch, const std::vector<float>& outputs);
  bool refuse_late(Request& request);
  void fail(std::span<Request> batch, const std::exception_ptr& why);

  const switchyard::Runtime runtime_;
  const Options options_;
  mutable std::mutex guard_;
  std::condition_variable changed_;
  std::shared_ptr<const switchyard::Model> model_;
  std::size_t example_size_ = 0;  // numbers of one example, of every model
  std::deque<Request> waiting_;
  ServerStatistics statistics_;
  bool is_ending_ = false;
  std::vector<std::thread> workers_;
};

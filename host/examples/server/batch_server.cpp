#include "batch_server.hpp"

#include <algorithm>
#include <mutex>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>
#include <utility>

using namespace switchyard;

BatchServer::BatchServer(const Runtime& runtime, const std::filesystem::path& model,
                         const Options& options)
    : runtime_(runtime), options_(options) {
  reload(model);
  for (int i = 0; i < options.workers; ++i) workers_.emplace_back([this] { work(); });
}

BatchServer::~BatchServer() {
  {
    const std::scoped_lock held(guard_);
    is_ending_ = true;
  }
  changed_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

/// Loaded and warmed up beside the one that serves.
void BatchServer::reload(const std::filesystem::path& file) {
  auto model = std::make_shared<const Model>(Model::load(runtime_, file));
  const Port& input = model->inputs().at(0);
  for (std::size_t batch = 1; batch <= options_.max_batch; ++batch) {
    Dims shape = input.shape;
    shape[0] = static_cast<std::int64_t>(batch);
    model->prepare({{input.name, shape}});
  }
  const std::scoped_lock held(guard_);
  model_ = std::move(model);
}

std::future<std::vector<float>> BatchServer::submit(std::vector<float> example,
                                                    Clock::time_point deadline) {
  Request request{std::move(example), Clock::now(), deadline, {}};
  std::future<std::vector<float>> answer = request.answer.get_future();
  {
    const std::scoped_lock held(guard_);
    waiting_.push_back(std::move(request));
  }
  changed_.notify_one();
  return answer;
}

std::vector<BatchServer::Request> BatchServer::next_batch() {
  std::unique_lock held(guard_);
  changed_.wait(held, [&] { return is_ending_ || !waiting_.empty(); });
  std::vector<Request> batch;
  while (!waiting_.empty() && batch.size() < options_.max_batch) {
    batch.push_back(std::move(waiting_.front()));
    waiting_.pop_front();
  }
  return batch;
}

/// A Run belongs to one worker; the model, with its weights, to all.
void BatchServer::work() {
  std::shared_ptr<const Model> model;
  std::optional<Run> run;
  while (true) {
    std::vector<Request> batch = next_batch();
    if (batch.empty()) return;
    try {
      std::shared_ptr<const Model> current;
      {
        const std::scoped_lock held(guard_);
        current = model_;
      }
      if (current != model) run.emplace(*current);
      model = std::move(current);
      answer(*run, batch);
    } catch (...) {
      fail(batch, std::current_exception());
    }
  }
}

void BatchServer::answer(Run& run, std::vector<Request>& batch) {
  std::vector<float> examples;
  Clock::time_point last = Clock::time_point::min();
  for (const Request& request : batch) {
    examples.insert(examples.end(), request.example.begin(), request.example.end());
    last = std::max(last, request.deadline);
  }
  Dims shape = run.model().inputs()[0].shape;
  shape[0] = static_cast<std::int64_t>(batch.size());
  run.set_input(0, tensor(examples, shape, {.device = runtime_.default_device()}));
  run.set_deadline(last);
  run.execute();
  const std::vector<float> answers = run.output(0).to_vector<float>();
  const std::size_t each = answers.size() / batch.size();
  const Clock::time_point now = Clock::now();
  const std::scoped_lock held(guard_);
  ++statistics_.batches;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const auto begin = answers.begin() + static_cast<std::ptrdiff_t>(i * each);
    const std::chrono::duration<double, std::milli> taken = now - batch[i].submitted;
    ++statistics_.served;
    statistics_.milliseconds.push_back(taken.count());
    batch[i].answer.set_value({begin, begin + static_cast<std::ptrdiff_t>(each)});
  }
}

void BatchServer::fail(std::vector<Request>& batch, const std::exception_ptr& why) {
  bool is_late = false;
  try {
    std::rethrow_exception(why);
  } catch (const Error& error) {
    is_late = error.kind() == ErrorKind::deadline;
  } catch (...) {
  }
  const std::scoped_lock held(guard_);
  (is_late ? statistics_.late : statistics_.failed) += batch.size();
  for (Request& request : batch) request.answer.set_exception(why);
}

ServerStatistics BatchServer::statistics() const {
  const std::scoped_lock held(guard_);
  return statistics_;
}

#include "batch_server.hpp"

#include <algorithm>
#include <mutex>
#include <optional>
#include <string>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>
#include <utility>

using namespace switchyard;

namespace {

Dims batch_shape(const Port& input, std::size_t batch) {
  Dims shape = input.shape;
  shape[0] = static_cast<std::int64_t>(batch);
  return shape;
}

/// How many numbers one example has.
std::size_t example_size(const Port& input) {
  std::int64_t size = 1;
  for (const std::int64_t extent : batch_shape(input, 1)) size *= extent;
  if (size > 0) return static_cast<std::size_t>(size);
  throw Error(ErrorKind::invalid_argument,
              "[BatchServer] a model whose examples have no fixed size makes no batches");
}

bool is_late(const std::exception_ptr& why) {
  try {
    std::rethrow_exception(why);
  } catch (const Error& error) {
    return error.kind() == ErrorKind::deadline;
  } catch (...) {
    return false;
  }
}

}  // namespace

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
  const std::size_t size = example_size(input);
  for (std::size_t batch = 1; batch <= options_.max_batch; ++batch) {
    model->prepare({{input.name, batch_shape(input, batch)}});
  }
  const std::scoped_lock held(guard_);
  if (model_ && size != example_size_) {  // what waits was checked for the model before
    throw Error(ErrorKind::invalid_argument,
                "[BatchServer] the new model takes examples of another size");
  }
  example_size_ = size;
  model_ = std::move(model);
}

std::future<std::vector<float>> BatchServer::submit(std::vector<float> example,
                                                    Clock::time_point deadline) {
  Request request{std::move(example), Clock::now(), deadline, {}, false};
  std::future<std::vector<float>> answer = request.answer.get_future();
  {
    const std::scoped_lock held(guard_);
    if (request.example.size() != example_size_) {
      throw Error(ErrorKind::invalid_argument,
                  "[BatchServer] an example has " + std::to_string(request.example.size()) +
                      " numbers; the model takes " + std::to_string(example_size_));
    }
    waiting_.push_back(std::move(request));
  }
  changed_.notify_one();
  return answer;
}

/// Those that can still be in time; none at the end.
std::vector<BatchServer::Request> BatchServer::next_batch() {
  std::unique_lock held(guard_);
  std::vector<Request> batch;
  while (batch.empty()) {
    changed_.wait(held, [&] { return is_ending_ || !waiting_.empty(); });
    if (waiting_.empty()) break;
    while (!waiting_.empty() && batch.size() < options_.max_batch) {
      Request request = std::move(waiting_.front());
      waiting_.pop_front();
      if (!refuse_late(request)) batch.push_back(std::move(request));
    }
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
      serve(*run, batch);
    } catch (...) {
      fail(batch, std::current_exception());
    }
  }
}

/// What fails for several runs again for each of them, so that one does not fail the others.
void BatchServer::serve(Run& run, std::span<Request> batch) {
  try {
    answer(batch, outputs_of(run, batch));
  } catch (...) {
    const std::exception_ptr why = std::current_exception();
    if (batch.size() == 1 || is_late(why)) return fail(batch, why);
    for (std::size_t i = 0; i < batch.size(); ++i) serve(run, batch.subspan(i, 1));
  }
}

/// Ends early only when the time of all has passed.
std::vector<float> BatchServer::outputs_of(Run& run, std::span<const Request> batch) {
  std::vector<float> examples;
  Clock::time_point last = Clock::time_point::min();
  for (const Request& request : batch) {
    examples.insert(examples.end(), request.example.begin(), request.example.end());
    last = std::max(last, request.deadline);
  }
  const Dims shape = batch_shape(run.model().inputs()[0], batch.size());
  run.set_input(0, tensor(examples, shape, {.device = runtime_.default_device()}));
  run.set_deadline(last);
  run.execute();
  return run.output(0).to_vector<float>();
}

void BatchServer::answer(std::span<Request> batch, const std::vector<float>& outputs) {
  const std::size_t each = outputs.size() / batch.size();
  const std::scoped_lock held(guard_);
  ++statistics_.batches;
  auto begin = outputs.begin();
  for (Request& request : batch) {
    std::vector<float> own(begin, begin + static_cast<std::ptrdiff_t>(each));
    begin += static_cast<std::ptrdiff_t>(each);
    if (request.is_answered || refuse_late(request)) continue;
    const std::chrono::duration<double, std::milli> taken = Clock::now() - request.submitted;
    statistics_.milliseconds.push_back(taken.count());
    ++statistics_.served;
    request.is_answered = true;
    request.answer.set_value(std::move(own));
  }
}

/// Whether its time has passed; then that is its answer. guard_ is held.
bool BatchServer::refuse_late(Request& request) {
  if (Clock::now() < request.deadline) return false;
  ++statistics_.late;
  request.is_answered = true;
  request.answer.set_exception(
      std::make_exception_ptr(Error(ErrorKind::deadline, "[BatchServer] there was no time")));
  return true;
}

void BatchServer::fail(std::span<Request> batch, const std::exception_ptr& why) {
  const std::scoped_lock held(guard_);
  for (Request& request : batch) {
    if (request.is_answered) continue;
    ++(is_late(why) ? statistics_.late : statistics_.failed);
    request.is_answered = true;
    request.answer.set_exception(why);
  }
}

ServerStatistics BatchServer::statistics() const {
  const std::scoped_lock held(guard_);
  return statistics_;
}

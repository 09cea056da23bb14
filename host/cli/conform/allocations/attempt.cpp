#include "cli/conform/allocations/attempt.hpp"

#include "cli/conform/kernels/tried_op.hpp"
#include "cli/conform/plugin/prepare_answers.hpp"

namespace switchyard::cli::conform {
namespace {

sy_region region_of(sy_storage storage) {
  auto region = sized<sy_region>();
  region.kind = SY_REGION_STORAGE;
  region.handle = storage;
  return region;
}

}  // namespace

Attempt::Attempt(TestDevice& beside, TestProgram& program, Step step, std::string what)
    : beside_(beside),
      slots_(beside.slots()),
      program_(program),
      step_(step),
      what_(std::move(what)) {}

// What wants memory after it was enqueued fails then, and later work of the stream with it.
bool Attempt::may_fail_late(Step step) const {
  const bool is_work = step == Step::copy || step == Step::run || step == Step::wait;
  return is_work && !beside_.synchronous() && (step_ == Step::copy || step_ == Step::run);
}

template <typename Args>
Answer Attempt::take(Step step, std::string_view slot, sy_status (*function)(Args*, sy_error*),
                     Args& args) {
  if (step != step_) {
    Answer answer = call(slot, function, args);
    if (!answer.ok() && !may_fail_late(step)) {
      fail("{}: {} returned {}", what_, slot, answer.text());
    }
    return answer;
  }
  const FailingAllocations& failing = FailingAllocations::loaded();
  call_form().before = failing.begin;
  call_form().after = failing.end;
  Answer answer = call(slot, function, args);
  call_form().before = call_form().after = nullptr;
  return answer;
}

template <typename Args>
void Attempt::give_back(std::string_view slot, sy_status (*function)(Args*, sy_error*),
                        Args& args) {
  if (!is_abandoned_ && !take(Step::end, slot, function, args).ok()) is_abandoned_ = true;
}

bool Attempt::open() {
  auto args = sized<sy_open_device_args>();
  args.index = beside_.index();
  args.host = &beside_.plugin().host();
  args.listener = &test_listener();
  if (!take(Step::open_device, "open_device", slots_.open_device, args).ok()) return false;
  device_ = args.device;
  return true;
}

bool Attempt::create_stream() {
  auto args = sized<sy_create_stream_args>();
  args.device = device_;
  if (!take(Step::create_stream, "create_stream", slots_.create_stream, args).ok()) return false;
  stream_ = args.stream;
  return true;
}

bool Attempt::prepare() {
  PrepareAnswers answers;
  sy_prepare_args args = answers.ask_for(device_, program_.get());
  if (!take(Step::prepare, "prepare", slots_.prepare, args).ok()) return false;
  kernel_ = args.kernel;
  workspace_bytes_ = args.workspace_bytes;
  return true;
}

bool Attempt::allocate(std::uint64_t size_bytes, sy_storage& storage) {
  auto args = sized<sy_allocate_args>();
  args.device = device_;
  args.stream = stream_;
  args.size_bytes = size_bytes;
  if (!take(Step::allocate, "allocate", slots_.allocate, args).ok()) return false;
  storage = args.storage;
  return true;
}

bool Attempt::allocate_all() {
  for (const auto* values : {&program_.inputs(), &program_.outputs()}) {
    for (const TestProgram::Value value : *values) {
      sy_storage storage = 0;
      if (!allocate(program_.value(value).size_bytes(), storage)) return false;
      storages_.push_back(storage);
    }
  }
  return true;
}

bool Attempt::copy(const Literal& value, sy_region source, sy_region destination) {
  auto args = sized<sy_copy_args>();
  args.dtype = static_cast<sy_dtype>(value.dtype());
  args.device = device_;
  args.stream = stream_;
  args.source = &source;
  args.destination = &destination;
  args.shape = value.shape().data();
  args.rank = static_cast<std::uint32_t>(value.shape().size());
  if (!take(Step::copy, "copy", slots_.copy, args).ok()) return false;
  last_ = args.sequence;
  ++beside_.run().device_work;
  return true;
}

bool Attempt::enqueue() {
  std::vector<sy_tensor> tensors;
  for (const auto* values : {&program_.inputs(), &program_.outputs()}) {
    for (const TestProgram::Value value : *values) {
      const Literal& literal = program_.value(value);
      auto tensor = sized<sy_tensor>();
      tensor.dtype = static_cast<sy_dtype>(literal.dtype());
      tensor.storage = storages_[tensors.size()];
      tensor.shape = literal.shape().data();
      tensor.rank = static_cast<std::uint32_t>(literal.shape().size());
      tensors.push_back(tensor);
    }
  }
  std::int64_t* const no_extents = nullptr;
  auto args = sized<sy_run_args>();
  args.stream = stream_;
  args.kernel = kernel_;
  args.inputs = tensors.data();
  args.input_count = static_cast<std::uint32_t>(program_.inputs().size());
  args.outputs = tensors.data() + args.input_count;
  args.output_count = 1;
  args.extents = &no_extents;
  std::uint64_t workspace_bytes = workspace_bytes_;
  if (workspace_bytes == SY_WORKSPACE_PER_RUN) {
    auto asked = sized<sy_workspace_args>();
    asked.run = &args;
    if (!take(Step::run, "workspace", slots_.workspace, asked).ok()) return false;
    workspace_bytes = asked.size_bytes;
  }
  if (workspace_bytes != 0 && !allocate(workspace_bytes, workspace_)) return false;
  args.workspace = workspace_;
  if (!take(Step::run, "run", slots_.run, args).ok()) return false;
  last_ = args.sequence;
  ++beside_.run().device_work;
  return true;
}

bool Attempt::wait() {
  if (beside_.synchronous()) return true;
  auto args = sized<sy_wait_args>();
  args.stream = stream_;
  args.sequence = last_;
  return take(Step::wait, "wait", slots_.wait, args).ok();
}

bool Attempt::make() {
  if (!open() || !create_stream() || !prepare() || !allocate_all()) return false;
  for (std::size_t i = 0; i < program_.inputs().size(); ++i) {
    const Literal& value = program_.value(program_.inputs()[i]);
    if (!copy(value, host_region(value.bytes()), region_of(storages_[i]))) return false;
  }
  if (!enqueue()) return false;
  const Literal& output = program_.value(program_.outputs().front());
  Literal& found = found_.emplace_back(output.dtype(), output.shape());
  const sy_region destination = host_region(found.mutable_bytes());
  return copy(found, region_of(storages_.back()), destination) && wait();
}

void Attempt::end() {
  // First, as it waits for work that uses all else: no other wait may have been made.
  if (stream_ != nullptr) {
    auto args = sized<sy_stream_args>();
    args.stream = stream_;
    give_back("destroy_stream", slots_.destroy_stream, args);
  }
  if (kernel_ != nullptr) {
    auto args = sized<sy_kernel_args>();
    args.kernel = kernel_;
    give_back("destroy_kernel", slots_.destroy_kernel, args);
  }
  if (workspace_ != 0) storages_.push_back(workspace_);
  for (const sy_storage storage : storages_) {
    auto args = sized<sy_storage_args>();
    args.device = device_;
    args.storage = storage;
    give_back("release", slots_.release, args);
  }
  if (device_ != nullptr) {
    auto args = sized<sy_device_args>();
    args.device = device_;
    give_back("close_device", slots_.close_device, args);
  }
}

void Attempt::compare() const {
  const std::string difference =
      difference_of(found_, {program_.value(program_.outputs().front())});
  if (!difference.empty()) fail("{}: each call returned SY_OK, and {}", what_, difference);
}

bool Attempt::run() {
  const bool is_made = make();
  end();
  if (is_made) compare();
  return is_made && !is_abandoned_;
}

}  // namespace switchyard::cli::conform

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <switchyard/error.hpp>
#include <switchyard/run.hpp>

#include "c_api/arguments.hpp"
#include "c_api/guarded.hpp"
#include "c_api/model.hpp"
#include "onnx/model_inputs.hpp"
#include "onnx/run/deadlines.hpp"

using namespace switchyard::c_api;

struct swy_run final : Counted<switchyard::Run> {
  using Counted::Counted;
};

namespace {

using Clock = std::chrono::steady_clock;

/// None for SWY_NO_DEADLINE. A span that the clock cannot count is the longest that it can.
std::optional<Clock::duration> span_of(std::int64_t milliseconds) {
  using Milliseconds = std::chrono::milliseconds;
  if (milliseconds == SWY_NO_DEADLINE) return std::nullopt;
  return std::clamp(Milliseconds(milliseconds),
                    std::chrono::duration_cast<Milliseconds>(Clock::duration::min()),
                    std::chrono::duration_cast<Milliseconds>(Clock::duration::max()));
}

/// An output that holds nothing is null.
swy_tensor* output_of(const switchyard::Run& run, std::size_t index) {
  const std::vector<switchyard::NamedValue>& outputs = run.outputs();
  if (index < outputs.size() && outputs[index].is_sequence) {
    throw switchyard::Error(switchyard::ErrorKind::unsupported,
                            fmt::format("output '{}' is a sequence, which the C API does not give",
                                        outputs[index].name));
  }
  const switchyard::Tensor output = run.output(index);
  return output.defined() ? new swy_tensor(output) : nullptr;
}

/// Keeps the token for as long as it is there.
std::shared_ptr<const switchyard::CancellationToken> kept(swy_cancellation_token* token) {
  if (token == nullptr) return nullptr;
  retain(token);
  return {&token->value, [token](const switchyard::CancellationToken*) { release(token); }};
}

}  // namespace

swy_status* swy_run_create(swy_model* model, swy_run** out_run) {
  return guarded([&] {
    const switchyard::Model& used = required(model, "model").value;
    swy_run*& out = required(out_run, "out_run");
    out = new swy_run(used);
  });
}

swy_status* swy_run_set_input(swy_run* run, size_t index, swy_tensor* tensor) {
  return guarded([&] {
    switchyard::Run& changed = required(run, "run").value;
    changed.set_input(index, tensor ? tensor->value : switchyard::Tensor());
  });
}

swy_status* swy_run_set_input_by_name(swy_run* run, const char* name, swy_tensor* tensor) {
  return guarded([&] {
    switchyard::Run& changed = required(run, "run").value;
    changed.set_input(&required(name, "name"), tensor ? tensor->value : switchyard::Tensor());
  });
}

swy_status* swy_run_set_output(swy_run* run, size_t index, swy_tensor* tensor) {
  return guarded([&] {
    switchyard::Run& changed = required(run, "run").value;
    changed.set_output(index, tensor ? tensor->value : switchyard::Tensor());
  });
}

swy_status* swy_run_set_output_by_name(swy_run* run, const char* name, swy_tensor* tensor) {
  return guarded([&] {
    switchyard::Run& changed = required(run, "run").value;
    changed.set_output(&required(name, "name"), tensor ? tensor->value : switchyard::Tensor());
  });
}

swy_status* swy_run_set_device(swy_run* run, swy_device* device) {
  return guarded([&] {
    switchyard::Run& changed = required(run, "run").value;
    if (device == nullptr) return static_cast<void>(changed.set_device({}));
    changed.set_device(device->value);
  });
}

swy_status* swy_run_set_deadline(swy_run* run, int64_t milliseconds) {
  return guarded([&] {
    switchyard::Run& changed = required(run, "run").value;
    const std::optional<Clock::duration> span = span_of(milliseconds);
    changed.set_deadline(span ? switchyard::deadline_after(*span) : std::nullopt);
  });
}

swy_status* swy_run_set_timeout(swy_run* run, int64_t milliseconds) {
  return guarded([&] { required(run, "run").value.set_timeout(span_of(milliseconds)); });
}

swy_status* swy_run_set_cancellation_token(swy_run* run, swy_cancellation_token* token) {
  return guarded([&] { required(run, "run").value.set_cancellation(kept(token)); });
}

swy_status* swy_run_execute(swy_run* run) {
  return guarded([&] { required(run, "run").value.execute(); });
}

swy_status* swy_run_execute_async(swy_run* run, swy_run_callback callback, void* context) {
  return guarded([&] {
    switchyard::Run& started = required(run, "run").value;
    if (callback == nullptr) {
      throw switchyard::Error(switchyard::ErrorKind::invalid_argument,
                              "argument 'callback' is NULL");
    }
    started.execute_async([callback, context](const std::exception_ptr& failure) {
      swy_status* status = nullptr;
      if (failure) status = guarded([&] { std::rethrow_exception(failure); });
      callback(context, status);
    });
  });
}

swy_status* swy_run_wait(swy_run* run) {
  return guarded([&] { required(run, "run").value.wait(); });
}

swy_status* swy_run_output(swy_run* run, size_t index, swy_tensor** out_tensor) {
  return guarded([&] {
    const switchyard::Run& asked = required(run, "run").value;
    swy_tensor*& out = required(out_tensor, "out_tensor");
    out = output_of(asked, index);
  });
}

swy_status* swy_run_output_by_name(swy_run* run, const char* name, swy_tensor** out_tensor) {
  return guarded([&] {
    const switchyard::Run& asked = required(run, "run").value;
    swy_tensor*& out = required(out_tensor, "out_tensor");
    const char* const wanted = &required(name, "name");
    out = output_of(asked, switchyard::position_of(asked.model().outputs(), "output", wanted));
  });
}

void swy_run_retain(swy_run* run) { retain(run); }
void swy_run_release(swy_run* run) {
  if (run == nullptr) return;
  std::uint32_t count = run->references.load(std::memory_order_acquire);
  do {
    // The callback may retain the run while its last owner waits for it.
    if (count == 1) run->value.wait();
  } while (!run->references.compare_exchange_strong(count, count - 1, std::memory_order_acq_rel));
  if (count == 1) delete run;
}

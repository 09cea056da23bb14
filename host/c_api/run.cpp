#include <fmt/format.h>

#include <switchyard/error.hpp>

#include "c_api/arguments.hpp"
#include "c_api/guarded.hpp"
#include "c_api/model.hpp"
#include "c_api/run_state.hpp"

using namespace switchyard::c_api;

struct swy_run final : Counted<RunState> {
  using Counted::Counted;
};

swy_status* swy_run_create(swy_model* model, swy_run** out_run) {
  return guarded([&] {
    const switchyard::Model& used = required(model, "model").value;
    swy_run*& out = required(out_run, "out_run");
    out = new swy_run(used);
  });
}

swy_status* swy_run_set_input(swy_run* run, size_t index, swy_tensor* tensor) {
  return guarded([&] {
    RunState& changed = required(run, "run").value;
    changed.set_input(index, required(tensor, "tensor").value);
  });
}

swy_status* swy_run_set_input_by_name(swy_run* run, const char* name, swy_tensor* tensor) {
  return guarded([&] {
    RunState& changed = required(run, "run").value;
    changed.set_input(&required(name, "name"), required(tensor, "tensor").value);
  });
}

swy_status* swy_run_set_deadline(swy_run* run, int64_t milliseconds) {
  return guarded([&] { required(run, "run").value.set_deadline(milliseconds); });
}

swy_status* swy_run_set_cancellation_token(swy_run* run, swy_cancellation_token* token) {
  return guarded([&] { required(run, "run").value.set_token(token); });
}

swy_status* swy_run_execute(swy_run* run) {
  return guarded([&] { required(run, "run").value.execute(); });
}

swy_status* swy_run_output(swy_run* run, size_t index, swy_tensor** out_tensor) {
  return guarded([&] {
    const RunState& asked = required(run, "run").value;
    swy_tensor*& out = required(out_tensor, "out_tensor");
    const switchyard::NamedValue& output = asked.output(index);
    if (output.is_sequence) {
      throw switchyard::Error(
          switchyard::ErrorKind::unsupported,
          fmt::format("output '{}' is a sequence, which the C API does not give", output.name));
    }
    out = output.tensor.defined() ? new swy_tensor(output.tensor) : nullptr;
  });
}

void swy_run_retain(swy_run* run) { retain(run); }
void swy_run_release(swy_run* run) { release(run); }

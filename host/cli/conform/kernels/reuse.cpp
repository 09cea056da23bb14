#include <cmath>

#include "cli/conform/kernels/kernel_call.hpp"
#include "cli/conform/kernels/kernel_trials.hpp"
#include "cli/conform/kernels/reference.hpp"

namespace switchyard::cli::conform {
namespace {

/// The call with other numbers, of about the same size, that break no rule which the first ones
/// keep: those of the example in another order.
OpCall with_other_values(const OpCall& call) {
  OpCall other = call;
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    if (!call.has(i) || call.is_host_input(i) || bit_width(call.inputs[i].dtype()) < 8) continue;
    const Literal& value = call.inputs[i];
    const auto size = static_cast<std::size_t>(bit_width(value.dtype()) / 8);
    const std::size_t count = static_cast<std::size_t>(value.size());
    if (count < 2) continue;
    Literal turned(value.dtype(), value.shape());
    for (std::size_t k = 0; k < count; ++k) {
      std::copy_n(value.bytes() + (k + 1) % count * size, size, turned.mutable_bytes() + k * size);
    }
    other.inputs[i] = turned;
  }
  return other;
}

bool has_host_input(const OpCall& call) {
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    if (call.has(i) && call.is_host_input(i)) return true;
  }
  return false;
}

std::int64_t grown(std::int64_t extent) { return extent == 1 ? 1 : extent + 2; }

}  // namespace

void try_second_values(TriedOp& tried) {
  tried.each_type([&](const OpCall& call) {
    const auto kernel = tried.prepare(call);
    if (!kernel) return;
    tried.run_on(*kernel, call, {});
    tried.run_on(*kernel, with_other_values(call), {}, ", with other values on the same kernel");
  });
  tried.require_runs("no call of it was taken");
}

void try_second_shape(TriedOp& tried) {
  const std::string words = resized(tried.words(), grown);
  std::size_t served = 0;
  tried.each_type([&](const OpCall& call) {
    const auto kernel = tried.prepare(call);
    if (!kernel) return;
    if (!kernel->may_differ_in(SY_ON_SHAPE)) {
      return tried.leave_out("its kernels are specialised on shapes");
    }
    const DType dtype = call.inputs[main_input(tried.op())].dtype();
    const std::optional<OpCall> other = call_of(tried.op(), words, dtype);
    if (!other) return tried.leave_out("the op's rules do not allow larger extents");
    tried.run_on(*kernel, call, {});
    tried.run_on(*kernel, *other, {}, ", another shape on the same kernel");
    ++served;
  });
  if (served == 0) tried.require_runs("no kernel of it serves another shape");
}

void try_second_strides(TriedOp& tried) {
  const sy_device_info& info = tried.device().info();
  tried.each_type([&](const OpCall& call) {
    const auto kernel = tried.prepare(call);
    if (!kernel) return;
    if ((kernel->claim_flags() & SY_CLAIM_STRIDED_INPUTS) == 0) {
      return tried.leave_out("the claim does not say STRIDED_INPUTS");
    }
    if (!kernel->may_differ_in(SY_ON_STRIDES)) {
      return tried.leave_out("its kernels are specialised on strides");
    }
    for (const Layout layout : {Layout::transposed, Layout::gaps, Layout::reversed}) {
      RunForm form;
      form.inputs = layout;
      if (!applies(form, call, info)) continue;
      tried.run_on(*kernel, call, form, ", on a kernel prepared for contiguous inputs");
    }
  });
  tried.require_runs("no kernel of it serves other strides");
}

void try_bindings(TriedOp& tried) {
  const Reference& reference = reference_for(tried.run().plugin);
  tried.each_type([&](const OpCall& call) {
    const auto kernel = tried.prepare(call);
    if (!kernel) return;
    if (!kernel->wants_bindings()) return tried.leave_out("its kernels want no bindings");
    if (!kernel->is_exact(0) || kernel->output_count() != 1 || has_host_input(call)) {
      return tried.leave_out("its runs have no binding");
    }
    const OpCall other = with_other_values(call);
    const auto expected = reference.compute(call), expected_other = reference.compute(other);
    if (!expected || !expected_other) return tried.leave_out("nothing to compare with");
    const auto require = [&](const std::vector<Literal>& found, const std::vector<Literal>& right,
                             std::string_view what) {
      const std::string difference = difference_of(found, right);
      if (!difference.empty()) {
        fail("{} of {}, {}: {}", call.name(), call.text(), what, difference);
      }
    };
    const RunForm form;
    KernelCall first(tried.stream(), call, form, kernel->prepared());
    KernelCall second(tried.stream(), other, form, kernel->prepared());
    first.bind_as(1);
    second.bind_as(2);
    require(first.run(), *expected, "the first binding");
    require(second.run(), *expected_other, "a second binding");
    require(first.run_again(other), *expected_other, "the first binding with other values");
    require(second.run_again(call), *expected, "the second binding with other values");
  });
  tried.require_runs("no kernel of it has bindings");
}

void try_second_host_values(TriedOp& tried) {
  tried.each_type([&](const OpCall& call) {
    OpCall other = call;
    bool has_host_input = false;
    for (std::size_t i = 0; i < call.inputs.size(); ++i) {
      if (!call.has(i) || !call.is_host_input(i) || call.inputs[i].dtype() != DType::int64)
        continue;
      has_host_input = true;
      std::vector<double> values;
      for (const std::int64_t value : call.inputs[i].to_int64s()) {
        values.push_back(static_cast<double>(value > 1 ? value - 1 : value));
      }
      other.inputs[i] = literal_of(DType::int64, call.inputs[i].shape(), values);
    }
    if (!has_host_input) return tried.leave_out("it has no host input of integers");
    if (!other.infers()) return tried.leave_out("the op's rules do not allow another value");
    const auto kernel = tried.prepare(call);
    if (!kernel) return;
    if (!kernel->may_differ_in(SY_ON_DATA)) {
      return tried.leave_out("its kernels are specialised on the values of host inputs");
    }
    if (!kernel->may_differ_in(SY_ON_SHAPE)) {
      for (std::size_t i = 0; i < call.outputs.size(); ++i) {
        if (call.outputs[i].shape != other.outputs[i].shape) {
          return tried.leave_out("another value gives outputs of another shape");
        }
      }
    }
    tried.run_on(*kernel, other, {}, ", another value of a host input on the same kernel");
  });
  tried.require_runs("no kernel of it serves another value of a host input");
}

}  // namespace switchyard::cli::conform

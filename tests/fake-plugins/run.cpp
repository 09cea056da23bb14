#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <map>
#include <mutex>
#include <thread>

#include "behaviour.hpp"
#include "entry.hpp"
#include "kernel.hpp"
#include "switchyard/plugin/guard.hpp"
#include "switchyard/plugin/tensor.hpp"

namespace fake {
namespace {

// A value in a run: an input, an output, or what lies between two nodes.
struct Operand {
  char* data = nullptr;
  std::array<char, 16> immediate = {};
  bool is_immediate = false;
  sy::Dimensions shape;
  sy::Dimensions strides;
  std::vector<float> own;                          // what lies between
  int64_t* extents = nullptr;                      // a bounded output's
  const sy_output_allocator* allocator = nullptr;  // a deferred output's
  uint32_t output = 0;

  template <typename T>
  sy::View<T> view() {
    void* start = is_immediate ? immediate.data() : data;
    return {static_cast<T*>(start), shape, strides.data.data()};
  }
};

// Enough for a run whose args have ended.
struct Run {
  Device& device;
  std::vector<Operand> operands;  // by value of the program

  std::vector<float> shared = {};  // of the variant whose inner values share it

  // Makes room for a value that only this program sees; outputs have theirs.
  void shape_output(uint32_t value, sy::Extents shape) {
    Operand& operand = operands[value];
    if (operand.data != nullptr) return;
    operand.own.resize(static_cast<size_t>(sy::element_count(shape)));
    operand.data = reinterpret_cast<char*>(operand.own.data());
    if (lies(Lie::shares_inner_values)) {
      shared.resize(std::max<size_t>(shared.size(), 1 << 16));
      operand.data = reinterpret_cast<char*>(shared.data());
    }
    operand.shape = sy::Dimensions(shape);
    operand.strides = sy::contiguous_strides(shape);
  }
};

sy::Dimensions broadcast_shape(sy::Extents a, sy::Extents b) {
  const sy::Extents longer = a.size() < b.size() ? b : a;
  const sy::Extents shorter = a.size() < b.size() ? a : b;
  sy::Dimensions shape(longer);
  const size_t added = longer.size() - shorter.size();
  for (size_t i = 0; i < shorter.size(); ++i) {
    if (shape[added + i] == 1) shape[added + i] = shorter[i];
  }
  return shape;
}

void add(Run& run, const Step& step) {
  Operand& a = run.operands[step.inputs[0]];
  Operand& b = run.operands[step.inputs[1]];
  const bool is_inner = run.operands[step.output].data == nullptr;
  run.shape_output(step.output, broadcast_shape(a.shape, b.shape));
  const sy::View<float> sum = run.operands[step.output].view<float>();
  const bool skips = is_inner && lies(Lie::skips_inner_sums);
  sy::for_each_row(
      [skips](int64_t count, sy::Row<float> y, sy::Row<float> left, sy::Row<float> right) {
        const bool loses_nan = lies(Lie::loses_second_nan);
        for (int64_t i = 0; i < count; ++i) {
          const bool is_lost = skips || (loses_nan && std::isnan(right[i]));
          y[i] = is_lost ? left[i] : left[i] + right[i];
        }
      },
      sum, a.view<float>().broadcast_to(sum.shape()), b.view<float>().broadcast_to(sum.shape()));
}

void relu(Run& run, const Step& step) {
  Operand& input = run.operands[step.inputs[0]];
  run.shape_output(step.output, input.shape);
  sy::for_each_row(
      [](int64_t count, sy::Row<float> y, sy::Row<float> x) {
        for (int64_t i = 0; i < count; ++i) y[i] = x[i] < 0 ? 0 : x[i];
      },
      run.operands[step.output].view<float>(), input.view<float>());
  if (int64_t* extents = run.operands[step.output].extents) {
    std::copy_n(input.shape.data.begin(), input.shape.rank, extents);
    --extents[0];
  }
}

void multiply(Run& run, const Step& step) {
  Operand& left = run.operands[step.inputs[0]];
  Operand& right = run.operands[step.inputs[1]];
  const int64_t rows = left.shape[0];
  const int64_t inner = left.shape[1];
  const int64_t columns = right.shape[1];
  run.shape_output(step.output, std::array<int64_t, 2>{rows, columns});
  const sy::View<float> a = left.view<float>();
  const sy::View<float> product = run.operands[step.output].view<float>();
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t column = 0; column < columns; ++column) {
      float sum = 0;
      for (int64_t i = 0; i < inner; ++i) {
        const float b = step.packed != nullptr
                            ? step.packed->columns[static_cast<size_t>(column * inner + i)]
                            : right.view<float>().at(std::array<int64_t, 2>{i, column});
        sum += a.at(std::array<int64_t, 2>{row, i}) * b;
      }
      product.at(std::array<int64_t, 2>{row, column}) = sum;
    }
  }
}

// The indices of what is not zero, in row-major order, one after the other.
std::vector<int64_t> find_nonzero(Operand& input) {
  std::vector<int64_t> found;
  const sy::View<float> view = input.view<float>();
  std::vector<int64_t> index(input.shape.rank, 0);
  for (int64_t left = view.count(); left > 0; --left) {
    if (view.at(index) != 0) found.insert(found.end(), index.begin(), index.end());
    for (size_t axis = index.size(); axis-- > 0;) {
      if (++index[axis] < input.shape[axis]) break;
      index[axis] = 0;
    }
  }
  return found;
}

// False where the host had none, and the variant hides it.
bool take_storage(Run& run, Operand& output, sy::Extents shape) {
  sy_storage storage = 0;
  uint64_t offset_bytes = 0;
  const auto ask = [&](const int64_t* extents) {
    const sy_status status = output.allocator->allocate(output.allocator->context, output.output,
                                                        static_cast<uint32_t>(shape.size()),
                                                        extents, &storage, &offset_bytes);
    if (status != SY_OK && !lies(Lie::hides_no_storage)) {
      throw sy::Failure(status, SY_REASON_NONE, "the host gave no storage");
    }
  };
  if (behaviour.nonzero == NonZeroOutput::deferred_negative) {
    ask(std::array<int64_t, 2>{-1, 4}.data());
  }
  ask(shape.data());
  if (behaviour.nonzero == NonZeroOutput::deferred_twice) ask(shape.data());
  if (storage == 0) return false;
  output.shape = sy::Dimensions(shape);
  output.strides = sy::contiguous_strides(shape);
  output.data = run.device.memory.at(storage, offset_bytes, SY_INT64, shape, nullptr);
  return true;
}

void nonzero(Run& run, const Step& step) {
  Operand& input = run.operands[step.inputs[0]];
  Operand& output = run.operands[step.output];
  const std::vector<int64_t> found = find_nonzero(input);
  const int64_t rank = input.shape.rank;  // not 0: see op_of
  const int64_t count = static_cast<int64_t>(found.size()) / rank;
  const std::array<int64_t, 2> shape = {rank, count};
  if (output.allocator != nullptr && !take_storage(run, output, shape)) return;
  if (output.extents != nullptr && behaviour.nonzero != NonZeroOutput::bounded_untold) {
    output.extents[0] = rank;
    output.extents[1] = count;
  }
  for (int64_t column = 0; column < count; ++column) {
    for (int64_t row = 0; row < rank; ++row) {
      output.view<int64_t>().at(std::array<int64_t, 2>{row, column}) =
          found[static_cast<size_t>(column * rank + row)];
    }
  }
}

void compute(Run& run, const Step& step) {
  switch (step.kind) {
    case OpKind::add: return add(run, step);
    case OpKind::relu: return relu(run, step);
    case OpKind::matmul: return multiply(run, step);
    case OpKind::nonzero: return nonzero(run, step);
  }
}

sy::Dimensions strides_of(sy::Extents shape, const int64_t* given) {
  sy::Dimensions strides = sy::strides_or_contiguous(shape, given);
  if (lies(Lie::ignores_strides)) return sy::contiguous_strides(shape);
  for (uint32_t i = 0; i < strides.rank && lies(Lie::ignores_zero_strides); ++i) {
    if (strides[i] == 0) strides[i] = 1;
  }
  return strides;
}

Operand operand_of(Device& device, const sy_tensor& tensor) {
  Operand operand;
  const sy::Extents shape = sy::shape_of(tensor);
  operand.shape = sy::Dimensions(shape);
  operand.strides = strides_of(shape, tensor.strides);
  if (tensor.storage == 0) {
    std::copy(std::begin(tensor.immediate), std::end(tensor.immediate), operand.immediate.begin());
    operand.is_immediate = true;
    return operand;
  }
  operand.data =
      device.memory.at(tensor.storage, tensor.offset_bytes, tensor.dtype, shape, tensor.strides);
  if (lies(Lie::ignores_offsets) && operand.data != nullptr) operand.data -= tensor.offset_bytes;
  return operand;
}

bool starts_with_nan(Operand& operand) {
  const sy::View<float> view = operand.view<float>();
  return view.count() > 0 && std::isnan(view.at(std::vector<int64_t>(operand.shape.rank, 0)));
}

// By a node of the program.
bool is_used(const Kernel& kernel, uint32_t value) {
  return std::any_of(kernel.steps.begin(), kernel.steps.end(), [value](const Step& step) {
    return std::count(step.inputs.begin(), step.inputs.end(), value) != 0;
  });
}

void bind_output(Run& run, const Kernel& kernel, const sy_run_args& args, uint32_t index) {
  const sy_tensor& tensor = *SY_AT(sy_tensor, args.outputs, index);
  const uint32_t value = kernel.outputs[index];
  Operand& operand = run.operands[value];
  const bool is_late = std::any_of(kernel.steps.begin(), kernel.steps.end(), [&](const Step& step) {
    return step.output == value && step.kind == OpKind::nonzero;
  });
  if (is_late && has_deferred_nonzero()) {
    operand.allocator = args.allocator;
    operand.output = index;
    return;
  }
  if (lies(Lie::forgets_inner_outputs) && is_used(kernel, value)) return;
  operand = operand_of(run.device, tensor);
  operand.is_immediate = false;
  if (is_late || behaviour.loses_a_row) operand.extents = args.extents[index];
}

// What a kernel remembers of its first run, though kernels are immutable.
struct FirstRun {
  std::vector<float> values;
  std::array<char, 16> immediate = {};
  bool has_immediate = false;
};

FirstRun& first_run_of(const Kernel& kernel) {
  static std::mutex mutex;
  static std::map<const Kernel*, FirstRun> runs;
  const std::lock_guard lock(mutex);
  return runs[&kernel];
}

template <typename Change>
void change_each(Operand& operand, Change&& change) {
  int64_t index = 0;
  sy::for_each_row(
      [&](int64_t count, sy::Row<float> row, sy::Row<float>) {
        for (int64_t i = 0; i < count; ++i) change(index++, row[i]);
      },
      operand.view<float>(), operand.view<float>());
}

void keep_first(Operand& output, std::vector<float>& values, bool whole) {
  const bool is_first = values.empty();
  change_each(output, [&](int64_t i, float& element) {
    const auto position = static_cast<size_t>(i);
    if (is_first) values.push_back(element);
    if (position < values.size() && whole) element = values[position];
    if (position >= values.size()) element = 0;
  });
}

// All results go through one vector, whichever thread makes them.
void through_scratch(Operand& output) {
  static std::vector<float> scratch(1 << 20);
  change_each(output, [](int64_t i, float& element) { scratch[static_cast<size_t>(i)] = element; });
  std::this_thread::yield();
  change_each(output, [](int64_t i, float& element) { element = scratch[static_cast<size_t>(i)]; });
}

// What a variant makes of a result that was right. NonZero's are left alone.
void spoil(Operand& output, const Kernel& kernel) {
  static std::atomic<int> runs{0};
  const bool is_odd = ++runs % 2 != 0;
  const auto all = [&](auto change) {
    change_each(output, [&](int64_t, float& element) { element = change(element); });
  };
  switch (behaviour.lie) {
    case Lie::writes_beyond: output.view<float>().data()[output.view<float>().count()] = 1; return;
    case Lie::stops_early:
      return change_each(output, [](int64_t i, float& x) { x = i < 100 ? x : 0; });
    case Lie::keeps_first_shape: return keep_first(output, first_run_of(kernel).values, false);
    case Lie::keeps_first_values: return keep_first(output, first_run_of(kernel).values, true);
    case Lie::static_scratch: return through_scratch(output);
    case Lie::loses_nan: return all([](float x) { return x == x ? x : 0; });
    case Lie::inaccurate: return all([](float x) { return x * 1.01f; });
    case Lie::random_bits:
      return all([&](float x) { return is_odd ? std::nextafter(x, 1e30f) : x; });
    default: return;
  }
}

void clear_if_aliased(Run& run, const Step& step) {
  Operand& output = run.operands[step.output];
  if (!lies(Lie::false_alias) || output.data == nullptr) return;
  if (run.operands[step.inputs[0]].data != output.data) return;
  change_each(output, [](int64_t, float& element) { element = 0; });
}

void lie_before_run(const Kernel& kernel, Run& run) {
  for (const uint32_t input : kernel.inputs) {
    Operand& operand = run.operands[input];
    if (lies(Lie::keeps_immediates) && operand.is_immediate) {
      FirstRun& first = first_run_of(kernel);
      if (!first.has_immediate) first.immediate = operand.immediate;
      first.has_immediate = true;
      operand.immediate = first.immediate;
    }
    if (lies(Lie::fails_when_empty) && sy::element_count(operand.shape) == 0) {
      throw sy::invalid("the fake cannot compute nothing");
    }
  }
  if (lies(Lie::hangs)) std::this_thread::sleep_for(std::chrono::hours(1));
  if (lies(Lie::exits)) std::_Exit(0);
  if (lies(Lie::crashes)) std::abort();
}

}  // namespace

namespace {

std::function<void()> bind_anew(Device& device, const Kernel& kernel, const sy_run_args& args) {
  if (behaviour.refusal == Refusal::at_run_having_depended) {
    throw sy::unsupported(SY_REASON_LIMIT, "the fake has seen these values");
  }
  if (!behaviour.fault_is_late && !behaviour.fault_follows_work) device.start_run();
  const auto run = std::make_shared<Run>(Run{device, std::vector<Operand>(kernel.value_count)});
  for (uint32_t i = 0; i < args.input_count; ++i) {
    run->operands[kernel.inputs[i]] = operand_of(device, *SY_AT(sy_tensor, args.inputs, i));
  }
  for (uint32_t i = 0; i < args.output_count; ++i) bind_output(*run, kernel, args, i);
  if (!behaviour.run_acts_on_nan || starts_with_nan(run->operands[kernel.inputs[0]])) {
    act(behaviour.run, nullptr);
  }
  block_if_asked("run");
  lie_before_run(kernel, *run);
  if (lies(Lie::writes_nothing)) return [] {};
  if (behaviour.fault_follows_work) {
    for (const Step& step : kernel.steps) compute(*run, step);
    device.start_run();
    return [] {};
  }
  return [run, &kernel] {
    block_if_asked("work");
    if (behaviour.fault_is_late) run->device.start_run();
    for (const Step& step : kernel.steps) {
      clear_if_aliased(*run, step);
      compute(*run, step);
      if (step.kind == OpKind::nonzero) continue;
      spoil(run->operands[step.output], kernel);
      if (lies(Lie::writes_input)) {
        change_each(run->operands[step.inputs[0]], [](int64_t, float& element) { element += 1; });
      }
    }
  };
}

}  // namespace

std::function<void()> bind(Device& device, Kernel& kernel, const sy_run_args& args) {
  if (args.binding == 0) return bind_anew(device, kernel, args);
  const std::lock_guard lock(kernel.guard);
  const uint64_t binding = lies(Lie::mixes_bindings) ? 1 : args.binding;
  std::function<void()>& captured = kernel.captured[binding];
  ++(captured ? device.replays : device.captures);
  if (!captured) captured = bind_anew(device, kernel, args);
  return captured;
}

uint64_t output_bytes(const sy_run_args& args) {
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < args.output_count; ++i) {
    const sy_tensor& output = *SY_AT(sy_tensor, args.outputs, i);
    bytes += sy::contiguous_bytes(
        output.dtype, static_cast<uint64_t>(sy::element_count({output.shape, output.rank})));
  }
  return bytes;
}

}  // namespace fake

#include <algorithm>
#include <cstring>
#include <iterator>
#include <optional>

#include "run.hpp"

namespace validation {
namespace {

Elements elements_of(const sy_tensor& tensor) {
  return {tensor.dtype, sy::Extents(tensor.shape, tensor.rank), tensor.strides,
          tensor.offset_bytes};
}

bool is_specialised(const Port& port, uint32_t on) { return (port.specialised_on & on) != 0; }

void check_strides(Run& run, const Port& port, const sy_tensor& tensor, const std::string& which) {
  const Elements elements = elements_of(tensor);
  if (elements.is_empty() || tensor.rank == 0) return;
  const bool is_of_same_shape =
      port.rank == tensor.rank &&
      std::equal(elements.shape.begin(), elements.shape.end(), port.shape.begin());
  const auto has_strides_of_port = [&] {
    return same_strides(elements.shape, port.has_strides ? port.strides.data() : nullptr,
                        tensor.strides);
  };
  if (is_specialised(port, SY_ON_STRIDES) && is_of_same_shape && !has_strides_of_port()) {
    run.call.violation(Rule::prepared, which, " has other strides than it was prepared for");
  }
  if (port.may_be_strided || elements.is_contiguous()) return;
  const bool is_proposed = port.has_strides && port.strides.size() == tensor.rank;
  if (is_proposed && has_strides_of_port()) return;
  run.call.violation(Rule::claim, which, " is not contiguous, as no claim lets it be");
}

// Whether the tensor is what the kernel was prepared for.
void check_port(Run& run, const Port& port, const sy_tensor& tensor, const std::string& which,
                bool may_have_another_rank = false) {
  const sy::Extents shape(tensor.shape, tensor.rank);
  if (tensor.dtype != port.dtype) {
    run.call.violation(Rule::prepared, which, " is of ", sy::dtype_name(tensor.dtype), ", not of ",
                       sy::dtype_name(port.dtype));
  }
  if (port.rank != SY_UNKNOWN_RANK && tensor.rank != port.rank) {
    if (may_have_another_rank) return check_strides(run, port, tensor, which);
    run.call.violation(Rule::prepared, which, " has rank ", tensor.rank, ", not ", port.rank);
    return;
  }
  for (uint32_t i = 0;
       i < tensor.rank && is_specialised(port, SY_ON_SHAPE) && port.rank != SY_UNKNOWN_RANK; ++i) {
    if (port.shape[i] < 0 || port.shape[i] == shape[i]) continue;
    run.call.violation(Rule::prepared, which, " is ", shape, ", but was prepared as ",
                       sy::Extents(port.shape));
    break;
  }
  check_strides(run, port, tensor, which);
}

void check_offset(Run& run, const sy_tensor& tensor, const std::string& which) {
  const uint32_t unit = run.stream->device->info.offset_alignment;
  const bool is_allowed = unit == 0 ? tensor.offset_bytes == 0 : tensor.offset_bytes % unit == 0;
  if (is_allowed) return;
  run.call.violation(Rule::offset, which, " begins at byte ", tensor.offset_bytes,
                     " of its storage; offsets are multiples of ", unit);
}

// On devices whose handles are addresses and which import, an input may lie in any host memory.
bool is_host_memory(Run& run, sy_storage handle) {
  const Device& device = *run.stream->device;
  return device.info.memory_kind == SY_MEMORY_ADDRESS && device.is(SY_DEVICE_IMPORTS_HOST_MEMORY) &&
         !run.call.plugin().storages.contains({&device, handle});
}

void check_host_input(Run& run, const Port& port, const sy_tensor& tensor,
                      const std::string& which) {
  const Elements elements = elements_of(tensor);
  if (elements.is_empty() || tensor.storage == 0) return;
  if (!elements.is_contiguous()) {
    run.call.violation(Rule::prepared, which, ", a host input, is not contiguous");
    return;
  }
  const auto* bytes = reinterpret_cast<const char*>(tensor.storage) + tensor.offset_bytes;
  const bool is_known = is_specialised(port, SY_ON_DATA) && !port.data.empty();
  const auto count = static_cast<size_t>(elements.end() - elements.first());
  if (is_known &&
      (count != port.data.size() || !std::equal(port.data.begin(), port.data.end(), bytes))) {
    run.call.violation(Rule::prepared, which,
                       ", a host input, has another value than it was prepared for");
  }
}

void check_without_storage(Run& run, const Port& port, const sy_tensor& tensor,
                           const std::string& which) {
  if (elements_of(tensor).is_empty()) return;
  if ((port.flags & SY_VALUE_CONSTANT) != 0 && port.original_unneeded) return;
  run.call.violation(Rule::prepared, which, " has no storage");
  run.call.stop();
}

void bind_input(Run& run, const sy_tensor& given, uint32_t index) {
  const std::string which = sy::text("input ", index);
  const Port& port = run.kernel->inputs[index];
  sy_tensor& tensor = run.inputs.emplace_back(copy_of(given));
  run.call.check_reserved(given.reserved);
  if (!check_form(run.call, which, given.dtype, given.rank, given.shape, given.strides)) {
    return run.call.stop();
  }
  check_port(run, port, given, which);
  if ((port.flags & SY_VALUE_HOST_INPUT) != 0) return check_host_input(run, port, given, which);
  if ((port.flags & SY_VALUE_IMMEDIATE) != 0) {
    if (given.rank == 0 && given.storage == 0) return;
    run.call.violation(Rule::immediate, which, " is an immediate with a rank or a storage");
    return;
  }
  if (given.storage == 0) return check_without_storage(run, port, given, which);
  if (is_host_memory(run, given.storage)) return;
  const auto storage = run.call.find(*run.stream->device, given.storage);
  if (!storage) return;
  check_lies_in(run, *storage, given, which);
  tensor.storage = storage->inner;
  if (!elements_of(given).is_empty()) run.uses.push_back({storage, Access::read});
}

// An output may lie on an input only as the identical view, where the kernel said so.
void check_alias(Run& run, const Port& port, const sy_tensor& output, const std::string& which) {
  for (uint32_t i = 0; i < run.args.input_count; ++i) {
    const sy_tensor& input = *SY_AT(sy_tensor, run.args.inputs, i);
    const uint32_t flags = run.kernel->inputs[i].flags;
    if ((flags & (SY_VALUE_HOST_INPUT | SY_VALUE_IMMEDIATE)) != 0) continue;
    if (input.storage != output.storage) continue;
    const Elements read = elements_of(input), written = elements_of(output);
    const bool may_alias = i < 64 && (port.may_alias >> i & 1U) != 0;
    if (may_alias && are_identical(read, written)) continue;
    if (!touch_same_bytes(read, written)) continue;
    run.call.violation(Rule::overlap, which, " lies on input ", i,
                       may_alias ? ", but is not the identical view" : "");
  }
}

void check_alone(Run& run, const sy_tensor& output, const std::string& which) {
  if (!overlap_themselves(elements_of(output))) return;
  run.call.violation(Rule::overlap, which, " has several elements in one place");
}

void check_apart(Run& run, const sy_tensor& output, uint32_t index, const std::string& which) {
  for (uint32_t i = 0; i < index; ++i) {
    const sy_tensor& other = *SY_AT(sy_tensor, run.args.outputs, i);
    if (run.kernel->outputs[i].mode == SY_OUTPUT_DEFERRED) continue;
    if (other.storage != output.storage) continue;
    if (!touch_same_bytes(elements_of(other), elements_of(output))) continue;
    run.call.violation(Rule::overlap, which, " lies on output ", i);
  }
}

void bind_output(Run& run, const sy_tensor& given, uint32_t index) {
  const std::string which = sy::text("output ", index);
  const Port& port = run.kernel->outputs[index];
  sy_tensor& tensor = run.outputs.emplace_back(copy_of(given));
  run.call.check_reserved(given.reserved);
  if (port.mode == SY_OUTPUT_DEFERRED) return;
  if (!check_form(run.call, which, given.dtype, given.rank, given.shape, given.strides)) {
    return run.call.stop();
  }
  check_port(run, port, given, which, run.kernel->has_open_outputs);
  if (given.storage == 0 && elements_of(given).is_empty()) return;
  const auto storage = run.call.find(*run.stream->device, given.storage);
  if (!storage) return;
  if (check_lies_in(run, *storage, given, which)) {
    check_alone(run, given, which);
    check_alias(run, port, given, which);
    check_apart(run, given, index, which);
  }
  tensor.storage = storage->inner;
  if (!elements_of(given).is_empty()) run.uses.push_back({storage, Access::write});
}

// How much the plugin wants for the run that this thread is about to make, if it was asked.
std::optional<uint64_t> wanted_workspace(Run& run) {
  if (run.kernel->workspace != SY_WORKSPACE_PER_RUN) return run.kernel->workspace;
  const auto asked = run.kernel->asked_workspace.find(std::this_thread::get_id());
  if (asked != run.kernel->asked_workspace.end() && asked->second.tensors == tensors_of(run)) {
    return asked->second.bytes;
  }
  run.call.violation(Rule::workspace, "the plugin was not asked how much this run needs");
  return std::nullopt;
}

void append(RunTensors& words, const sy_tensor& tensor) {
  words.insert(words.end(), {static_cast<uint64_t>(tensor.dtype), tensor.storage,
                             tensor.offset_bytes, tensor.rank});
  const sy::Extents shape(tensor.shape, tensor.rank);
  const sy::Dimensions strides = sy::strides_or_contiguous(shape, tensor.strides);
  words.insert(words.end(), shape.begin(), shape.end());
  words.insert(words.end(), strides.data.begin(), strides.data.begin() + tensor.rank);
  uint64_t immediate[2];
  static_assert(sizeof(immediate) == sizeof(tensor.immediate));
  std::memcpy(immediate, tensor.immediate, sizeof(immediate));
  const bool has_immediate = tensor.storage == 0 && tensor.rank == 0;
  if (has_immediate) words.insert(words.end(), std::begin(immediate), std::end(immediate));
}

}  // namespace

bool check_lies_in(Run& run, const Storage& storage, const sy_tensor& tensor,
                   const std::string& which) {
  const Elements elements = elements_of(tensor);
  if (!elements.is_empty()) check_offset(run, tensor, which);
  return check_place(run.call, which, storage, elements);
}

RunTensors tensors_of(const Run& run) {
  RunTensors words;
  for (uint32_t i = 0; i < run.args.input_count; ++i) {
    append(words, *SY_AT(sy_tensor, run.args.inputs, i));
  }
  for (uint32_t i = 0; i < run.args.output_count; ++i) {
    const bool is_deferred = run.kernel->outputs[i].mode == SY_OUTPUT_DEFERRED;
    if (!is_deferred) append(words, *SY_AT(sy_tensor, run.args.outputs, i));
  }
  return words;
}

void bind_workspace(Run& run) {
  const std::optional<uint64_t> wanted = wanted_workspace(run);
  const uint64_t size = wanted.value_or(0);
  if (size == 0 && run.args.workspace == 0) return;
  if (wanted && size == 0) {
    run.call.violation(Rule::workspace, "there is one, though the kernel asked for none");
  }
  const auto storage = run.call.find(*run.stream->device, run.args.workspace);
  if (!storage) return;
  const uint64_t offset = run.args.workspace_offset_bytes;
  if (size > storage->size || offset > storage->size - size) {
    run.call.violation(Rule::workspace, "bytes ", offset, " to ", offset + size, " of storage ",
                       storage->id, ", which has ", storage->size);
  }
  if (offset % std::max(run.stream->device->info.alignment, 1U) != 0) {
    run.call.violation(Rule::workspace, "it begins at byte ", offset,
                       ", which is not aligned as storages are");
  }
  for (const StorageUse& use : run.uses) {
    if (use.storage != storage) continue;
    run.call.violation(Rule::workspace, "it shares storage ", storage->id, " with a tensor");
    break;
  }
  run.workspace = storage->inner;
  run.uses.push_back({storage, Access::write});
}

void bind_tensors(Run& run) {
  const sy_run_args& args = run.args;
  if (args.input_count != run.kernel->inputs.size() ||
      args.output_count != run.kernel->outputs.size()) {
    run.call.violation(Rule::prepared, args.input_count, " inputs and ", args.output_count,
                       " outputs; the program has ", run.kernel->inputs.size(), " and ",
                       run.kernel->outputs.size());
    return run.call.stop();
  }
  if ((args.input_count != 0 && !run.call.check_given(args.inputs, "the first input")) ||
      (args.output_count != 0 && !run.call.check_given(args.outputs, "the first output"))) {
    return;
  }
  for (uint32_t i = 0; i < args.input_count; ++i) {
    bind_input(run, *SY_AT(sy_tensor, args.inputs, i), i);
  }
  for (uint32_t i = 0; i < args.output_count; ++i) {
    bind_output(run, *SY_AT(sy_tensor, args.outputs, i), i);
  }
}

}  // namespace validation

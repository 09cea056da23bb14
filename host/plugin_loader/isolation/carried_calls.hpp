/// How the args of each call cross. One function for each struct writes and reads it on both sides;
/// it names all fields, so that a struct that has grown no longer compiles.
///
/// A wire is one of four, which all visit the same fields in the same order:
///   RequestWriter (host)   in: writes             RequestReader (server)   in: reads
///   AnswerReader  (host)   out: reads             AnswerWriter  (server)   out: writes
///
///   in(fields...), out(fields...)    numbers
///   device, stream, event, ...(h)    handles that go in; a wire of the host translates them
///   made(h)                          a handle that comes out, as the server knows it
///   text(t), texts(t, n), array(p, n), structs(p, n), bytes(p, size)     what goes in
///   room(p, n)                       where the callee writes; filled(p, n): what it wrote there
///   inout_array(p, n)                what has a value before
///   given_text(t), given_array(p, n), given_structs(p, n)   what the callee gives, for ever
#pragma once

#include <switchyard/kernels.h>
#include <switchyard/ops.h>
#include <switchyard/plugin.h>

#include <cstdint>

#include "plugin_loader/isolation/carried_program.hpp"

namespace switchyard::isolation {

template <typename Wire>
void carry(Wire& wire, sy_claim& claim) {
  auto& [struct_size, flags, domain, op, min_version, max_version, input_dtypes, output_dtypes,
         min_rank, max_rank] = claim;
  wire.out(flags, min_version, max_version, input_dtypes, output_dtypes, min_rank, max_rank);
  wire.given_text(domain);
  wire.given_text(op);
}

template <typename Wire>
void carry(Wire& wire, sy_device_info& info) {
  auto& [struct_size, flags, name, built, available, reason, memory_kind, message, memory_bytes,
         max_storage_bytes, alignment, offset_alignment, max_program_nodes, dlpack_device_type,
         claims, claim_count, peer_count, peers, architecture, pci_address, uuid] = info;
  wire.out(flags, built, available, reason, memory_kind, memory_bytes, max_storage_bytes, alignment,
           offset_alignment, max_program_nodes, dlpack_device_type);
  wire.given_text(name);
  wire.given_text(message);
  wire.given_structs(claims, claim_count);
  wire.given_array(peers, peer_count);
  wire.given_text(architecture);
  wire.given_text(pci_address);
  wire.out_characters(uuid);
}

template <typename Wire>
void carry(Wire& wire, sy_probe_args& args) {
  auto& [struct_size, built, extensions, host, available, reason, message, devices, device_count,
         reserved] = args;
  wire.host(host);
  wire.out(built, available, reason);
  wire.given_text(message);
  wire.given_structs(devices, device_count);
  wire.in(reserved);
}

template <typename Wire>
void carry(Wire& wire, sy_open_device_args& args) {
  auto& [struct_size, index, extensions, host, listener, device] = args;
  wire.in(index);
  wire.host(host);
  wire.listener(listener);
  wire.made(device);
}

template <typename Wire>
void carry(Wire& wire, sy_device_args& args) {
  auto& [struct_size, reserved, extensions, device] = args;
  wire.in(reserved);
  wire.device(device);
}

template <typename Wire>
void carry(Wire& wire, sy_report_args& args) {
  auto& [struct_size, reserved, extensions, device, writer] = args;
  wire.in(reserved);
  wire.device(device);
  wire.writer(writer);
}

template <typename Wire>
void carry(Wire& wire, sy_allocate_args& args) {
  auto& [struct_size, reserved, extensions, device, stream, size_bytes, storage] = args;
  wire.in(reserved, size_bytes);
  wire.device(device);
  wire.stream(stream);
  wire.out(storage);
}

/// `pointer` is one into shared memory, which is ready.
template <typename Wire>
void carry(Wire& wire, sy_import_args& args) {
  auto& [struct_size, kind, extensions, device, pointer, size_bytes, ready_event, stream, storage] =
      args;
  wire.in(kind, pointer, size_bytes, ready_event);
  wire.device(device);
  wire.stream(stream);
  wire.out(storage);
}

template <typename Wire>
void carry(Wire& wire, sy_storage_args& args) {
  auto& [struct_size, reserved, extensions, device, storage] = args;
  wire.in(reserved);
  wire.device(device);
  wire.storage(storage);
}

template <typename Wire>
void carry(Wire& wire, sy_trim_args& args) {
  auto& [struct_size, reserved, extensions, device, freed_bytes] = args;
  wire.in(reserved);
  wire.device(device);
  wire.out(freed_bytes);
}

template <typename Wire>
void carry(Wire& wire, sy_memory_statistics_args& args) {
  auto& [struct_size, reserved, extensions, device, used_bytes, cached_bytes, free_bytes] = args;
  wire.in(reserved);
  wire.device(device);
  wire.out(used_bytes, cached_bytes, free_bytes);
}

template <typename Wire>
void carry(Wire& wire, sy_copy_args& args) {
  auto& [struct_size, dtype, extensions, device, stream, source, destination, shape, rank, reserved,
         sequence] = args;
  wire.in(dtype, rank, reserved);
  wire.device(device);
  wire.stream(stream);
  wire.array(shape, rank);
  wire.structs(source, 1, rank);
  wire.structs(destination, 1, rank);
  wire.out(sequence);
}

/// `completed` lies in the server's own memory: its answers tell what it holds.
template <typename Wire>
void carry(Wire& wire, sy_create_stream_args& args) {
  auto& [struct_size, priority, extensions, device, stream, completed] = args;
  wire.in(priority);
  wire.device(device);
  wire.made(stream);
  wire.counter(completed);
}

template <typename Wire>
void carry(Wire& wire, sy_stream_args& args) {
  auto& [struct_size, reserved, extensions, stream] = args;
  wire.in(reserved);
  wire.stream(stream);
}

template <typename Wire>
void carry(Wire& wire, sy_completed_args& args) {
  auto& [struct_size, reserved, extensions, stream, sequence] = args;
  wire.in(reserved);
  wire.stream(stream);
  wire.out(sequence);
}

template <typename Wire>
void carry(Wire& wire, sy_wait_args& args) {
  auto& [struct_size, reserved, extensions, stream, sequence] = args;
  wire.in(reserved, sequence);
  wire.stream(stream);
}

template <typename Wire>
void carry(Wire& wire, sy_create_event_args& args) {
  auto& [struct_size, flags, extensions, device, event] = args;
  wire.in(flags);
  wire.device(device);
  wire.made(event);
}

template <typename Wire>
void carry(Wire& wire, sy_elapsed_time_args& args) {
  auto& [struct_size, reserved, extensions, start, end, nanoseconds] = args;
  wire.in(reserved);
  wire.event(start);
  wire.event(end);
  wire.out(nanoseconds);
}

template <typename Wire>
void carry(Wire& wire, sy_event_args& args) {
  auto& [struct_size, reserved, extensions, event, stream] = args;
  wire.in(reserved);
  wire.event(event);
  wire.stream(stream);
}

template <typename Wire>
void carry(Wire& wire, sy_supports_args& args) {
  auto& [struct_size, reserved, extensions, device, program, verdicts] = args;
  wire.in(reserved);
  wire.device(device);
  wire.structs(program, 1);
  wire.out_structs(verdicts, program->node_count);
}

template <typename Wire>
void carry(Wire& wire, sy_prepare_args& args) {
  auto& [struct_size, flags, extensions, device, program, kernel, workspace_bytes, specialised_on,
         outputs, constants] = args;
  wire.device(device);
  wire.structs(program, 1);
  wire.made(kernel);
  wire.out(flags, workspace_bytes);
  wire.inout_array(specialised_on, program->input_count);
  wire.out_structs(outputs, program->output_count);
  wire.out_structs(constants, program->input_count);
}

template <typename Wire>
void carry(Wire& wire, sy_kernel_args& args) {
  auto& [struct_size, reserved, extensions, kernel] = args;
  wire.in(reserved);
  wire.kernel(kernel);
}

template <typename Wire>
void carry(Wire& wire, sy_constant_args& args) {
  auto& [struct_size, reserved, extensions, device, constant] = args;
  wire.in(reserved);
  wire.device(device);
  wire.constant(constant);
}

/// `extents` are pointers into shared memory. Of its chain a sy_launch crosses.
template <typename Wire>
void carry(Wire& wire, sy_run_args& args) {
  auto& [struct_size, input_count, extensions, stream, kernel, inputs, outputs, output_count,
         reserved, workspace, workspace_offset_bytes, extents, allocator, binding, sequence] = args;
  wire.in(input_count, output_count, reserved, workspace_offset_bytes, binding);
  wire.stream(stream);
  wire.kernel(kernel);
  wire.tensors(inputs, input_count, true);
  wire.tensors(outputs, output_count, false);
  wire.storage(workspace);
  wire.array(extents, output_count);
  wire.allocator(allocator);
  wire.launch(extensions);
  wire.out(sequence);
}

/// The run's extents and allocator do not matter to how much it needs, and stay here.
template <typename Wire>
void carry(Wire& wire, sy_workspace_args& args) {
  auto& [struct_size, reserved, extensions, run, size_bytes] = args;
  wire.in(reserved);
  wire.structs(run, 1);
  wire.out(size_bytes);
}

template <typename Wire>
void carry(Wire& wire, sy_launch& launch) {
  auto& [link, threads, group] = launch;
  wire.in(link.struct_size, link.kind);
  wire.in_characters(threads);
  wire.in_characters(group);
}

template <typename Wire>
void carry(Wire& wire, sy_compile_args& args) {
  auto& [struct_size, input_count, extensions, device, name, source, function, inputs, outputs,
         output_count, reserved, log, kernel] = args;
  wire.in(input_count, output_count, reserved);
  wire.device(device);
  wire.text(name);
  wire.text(source);
  wire.text(function);
  wire.array(inputs, input_count);
  wire.array(outputs, output_count);
  wire.writer(log);
  wire.made(kernel);
}

}  // namespace switchyard::isolation

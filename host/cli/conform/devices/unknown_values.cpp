#include "cli/conform/devices/device_cases.hpp"
#include "cli/conform/devices/test_bytes.hpp"
#include "cli/conform/devices/test_op.hpp"
#include "cli/conform/plugin/test_device.hpp"

namespace switchyard::cli::conform {
namespace {

constexpr std::uint32_t kMayIgnore = 1u << 13;   // a flag that no version has yet
constexpr std::uint32_t kMustRefuse = 1u << 29;  // the same of SY_FLAGS_TO_KNOW

/// A copy that must be refused when it is enqueued: later, the host could not offer it to others.
void require_refused(TestStream& stream, const std::string& what, sy_copy_args args) {
  args.device = stream.device().handle();
  args.stream = stream.handle();
  const Answer answer = call("copy", stream.device().slots().copy, args);
  if (answer.status == SY_UNSUPPORTED) return;
  fail("copy of {} returned {}; SY_UNSUPPORTED is what a value that is not known gets", what,
       answer.ok() ? "SY_OK" : answer.text());
}

}  // namespace

void try_grown_structs(CaseRun& run) {
  TestDevice device(run);
  call_form().grows = true;
  TestStream stream(device);
  const std::vector<std::byte> bytes = test_bytes(1000, 1);
  const TestStorage storage(device, bytes.size(), &stream);
  storage.write(stream, bytes);
  require_bytes(storage.read(stream), bytes, "a round trip with longer structs");
  const TestOp op = first_op(stream);
  op.run(stream, *prepared(stream, op), 0);
  call_form().grows = false;
}

void try_unknown_dtype(CaseRun& run) {
  TestDevice device(run);
  TestStream stream(device);
  const std::vector<std::byte> bytes(64);
  const TestStorage storage(device, 64, &stream);
  const sy_region source = host_region(bytes.data()), destination = storage.region();
  const std::int64_t shape[] = {2};
  for (const sy_dtype dtype : {0, 8, 27, 99, -1}) {
    auto args = sized<sy_copy_args>();
    args.dtype = dtype;
    args.source = &source;
    args.destination = &destination;
    args.shape = shape;
    args.rank = 1;
    require_refused(stream, fmt::format("elements of dtype {}", dtype), args);
  }
}

void try_unknown_region(CaseRun& run) {
  TestDevice device(run);
  TestStream stream(device);
  const std::vector<std::byte> bytes(64);
  const TestStorage storage(device, 64, &stream);
  const sy_region destination = storage.region();
  sy_region source = host_region(bytes.data());
  const std::int64_t shape[] = {2};
  for (const sy_region_kind kind : {77, -1}) {
    source.kind = kind;
    auto args = sized<sy_copy_args>();
    args.dtype = SY_FLOAT32;
    args.source = &source;
    args.destination = &destination;
    args.shape = shape;
    args.rank = 1;
    require_refused(stream, fmt::format("a region of kind {}", kind), args);
  }
}

void try_unknown_value_flags(CaseRun& run) {
  TestDevice device(run);
  TestStream stream(device);
  const TestOp op = first_op(stream);
  Refusal refusal;
  RunForm form;
  form.value_flags = kMayIgnore;
  const auto ignoring = TestKernel::prepare(stream, op.calls[0], form, refusal);
  if (!ignoring) {
    fail("a value's flag {:#x}, which is none of SY_FLAGS_TO_KNOW, is refused: {}", kMayIgnore,
         refusal.message);
  }
  op.run(stream, *ignoring, 0);
  form.value_flags = kMustRefuse;
  if (TestKernel::prepare(stream, op.calls[0], form, refusal)) {
    fail(
        "a value's flag {:#x}, which no plugin of this version knows and which SY_FLAGS_TO_KNOW "
        "names, is taken",
        kMustRefuse);
  }
}

void try_unknown_op(CaseRun& run) {
  TestDevice device(run);
  sy_value value = sized<sy_value>();
  value.dtype = SY_FLOAT32;
  const std::uint32_t index = 0, output = 1;
  const sy_value values[] = {value, value};
  sy_node node = sized<sy_node>();
  node.version = 1;
  node.domain = "org.example.nobody";
  node.op = "NoSuchOp";
  node.inputs = &index;
  node.outputs = &output;
  node.input_count = node.output_count = 1;
  sy_program program = sized<sy_program>();
  program.values = values;
  program.value_count = 2;
  program.nodes = &node;
  program.node_count = 1;
  program.inputs = &index;
  program.input_count = 1;
  program.outputs = &output;
  program.output_count = 1;
  std::uint8_t specialised_on = SY_ON_ALL;
  std::int64_t bound[SY_MAX_RANK] = {}, strides[SY_MAX_RANK] = {};
  sy_output_plan plan = sized<sy_output_plan>();
  plan.bound = bound;
  plan.strides = strides;
  sy_packed_constant constant = sized<sy_packed_constant>();
  auto args = sized<sy_prepare_args>();
  args.device = device.handle();
  args.program = &program;
  args.specialised_on = &specialised_on;
  args.outputs = &plan;
  args.constants = &constant;
  const Answer answer = call("prepare", device.slots().prepare, args);
  if (answer.status != SY_UNSUPPORTED) {
    fail("prepare of an op that there is not returned {}", answer.ok() ? "SY_OK" : answer.text());
  }
}

void try_null_errors(CaseRun& run) {
  TestDevice device(run);
  TestStream stream(device);
  call_form().lacks_error = true;
  auto allocate = sized<sy_allocate_args>();
  allocate.device = device.handle();
  allocate.stream = stream.handle();
  allocate.size_bytes = std::uint64_t{1} << 60;
  const bool allocated = call("allocate", device.slots().allocate, allocate).ok();
  auto open = sized<sy_open_device_args>();
  open.index = 10'000;
  open.host = &device.plugin().host();
  open.listener = &test_listener();
  const bool opened = call("open_device", device.slots().open_device, open).ok();
  call_form().lacks_error = false;
  if (allocated || opened) fail("calls that must fail have returned SY_OK");
}

}  // namespace switchyard::cli::conform

#include <gtest/gtest.h>
#include <switchyard/plugin.h>

#include <cstdint>
#include <vector>

namespace {

template <typename Args>
Args make() {
  Args args = {};
  args.struct_size = sizeof(Args);
  return args;
}

const sy_plugin& enter() {
  static const sy_host host = make<sy_host>();
  auto args = make<sy_entry_args>();
  args.min_version = args.max_version = SY_ABI_VERSION;
  args.host = &host;
  EXPECT_EQ(switchyard_plugin_entry(&args, nullptr), SY_OK);
  return *args.plugin;
}

sy_device open_device() {
  auto args = make<sy_open_device_args>();
  EXPECT_EQ(enter().open_device(&args, nullptr), SY_OK);
  return args.device;
}

// A program of one node with one input and one output.
struct Unary {
  std::vector<int64_t> input_shape, output_shape;
  uint32_t input = 0, output = 1;
  sy_value values[2] = {make<sy_value>(), make<sy_value>()};
  sy_node node = make<sy_node>();
  sy_program program = make<sy_program>();
  uint8_t specialised_on = SY_ON_ALL;
  sy_output_plan plan = make<sy_output_plan>();

  Unary(std::vector<int64_t> from, std::vector<int64_t> to)
      : input_shape(std::move(from)), output_shape(std::move(to)) {
    values[0].rank = static_cast<uint32_t>(input_shape.size());
    values[0].shape = input_shape.data();
    values[1].rank = static_cast<uint32_t>(output_shape.size());
    values[1].shape = output_shape.data();
    program.values = values;
    program.value_count = 2;
    program.nodes = &node;
    program.node_count = 1;
    program.inputs = &input;
    program.outputs = &output;
    program.input_count = program.output_count = 1;
  }

  sy_kernel prepare() {
    auto args = make<sy_prepare_args>();
    args.device = open_device();
    args.program = &program;
    args.specialised_on = &specialised_on;
    args.outputs = &plan;
    EXPECT_EQ(enter().prepare(&args, nullptr), SY_OK);
    return args.kernel;
  }
};

sy_stream create_stream() {
  auto args = make<sy_create_stream_args>();
  args.device = open_device();
  EXPECT_EQ(enter().create_stream(&args, nullptr), SY_OK);
  EXPECT_EQ(*args.completed, 0u);
  return args.stream;
}

void destroy(sy_kernel kernel, sy_stream stream) {
  auto kernel_args = make<sy_kernel_args>();
  kernel_args.kernel = kernel;
  EXPECT_EQ(enter().destroy_kernel(&kernel_args, nullptr), SY_OK);
  auto stream_args = make<sy_stream_args>();
  stream_args.stream = stream;
  EXPECT_EQ(enter().destroy_stream(&stream_args, nullptr), SY_OK);
}

TEST(NullClaims, TakeAnythingWithoutBeingAsked) {
  auto args = make<sy_probe_args>();
  ASSERT_EQ(enter().probe(&args, nullptr), SY_OK);
  ASSERT_EQ(args.device_count, 1u);
  EXPECT_EQ(args.devices->claim_count, 3u) << "one a domain";
  for (uint32_t i = 0; i < args.devices->claim_count; ++i) {
    const sy_claim& claim = *SY_AT(sy_claim, args.devices->claims, i);
    EXPECT_TRUE(claim.flags & SY_CLAIM_NO_SUPPORTS_CALL) << claim.op;
    EXPECT_EQ(claim.input_dtypes, SY_DTYPES_ALL) << claim.op;
  }
}

TEST(NullRun, CountsAndLeavesOutputsAlone) {
  Unary unary({2}, {2});
  const sy_kernel kernel = unary.prepare();
  EXPECT_EQ(unary.specialised_on, 0);
  EXPECT_EQ(unary.plan.mode, SY_OUTPUT_EXACT);
  const sy_stream stream = create_stream();
  float memory[2] = {5, 6};
  sy_tensor output = make<sy_tensor>();
  output.storage = reinterpret_cast<sy_storage>(memory);
  auto args = make<sy_run_args>();
  args.stream = stream;
  args.kernel = kernel;
  args.outputs = &output;
  args.output_count = 1;
  for (uint64_t n = 1; n <= 3; ++n) {
    ASSERT_EQ(enter().run(&args, nullptr), SY_OK);
    EXPECT_EQ(args.sequence, n);
  }
  EXPECT_EQ(memory[0], 5);
  auto wait = make<sy_wait_args>();
  wait.stream = stream;
  wait.sequence = 3;
  EXPECT_EQ(enter().wait(&wait, nullptr), SY_OK);
  destroy(kernel, stream);
}

TEST(NullRun, InventsEmptyOutputsWhereOnlyComputingWouldTell) {
  Unary unary({2, 3}, {2, SY_UNKNOWN_DIMENSION});
  const sy_kernel kernel = unary.prepare();
  EXPECT_EQ(unary.plan.mode, SY_OUTPUT_DEFERRED);
  EXPECT_EQ(unary.specialised_on, SY_ON_ALL);
  const sy_stream stream = create_stream();
  std::vector<int64_t> asked;
  auto allocator = make<sy_output_allocator>();
  allocator.context = &asked;
  allocator.allocate = [](void* context, uint32_t, uint32_t rank, const int64_t* shape,
                          sy_storage* storage, uint64_t* offset_bytes) -> sy_status {
    static_cast<std::vector<int64_t>*>(context)->assign(shape, shape + rank);
    *storage = *offset_bytes = 0;
    return SY_OK;
  };
  auto args = make<sy_run_args>();
  args.stream = stream;
  args.kernel = kernel;
  args.allocator = &allocator;
  ASSERT_EQ(enter().run(&args, nullptr), SY_OK);
  EXPECT_EQ(asked, (std::vector<int64_t>{2, 0}));
  allocator.allocate = [](void*, uint32_t, uint32_t, const int64_t*, sy_storage*,
                          uint64_t*) -> sy_status { return SY_OUT_OF_MEMORY; };
  EXPECT_EQ(enter().run(&args, nullptr), SY_OUT_OF_MEMORY);
  destroy(kernel, stream);
}

TEST(NullMemory, IsAlignedHostMemoryThatCopies) {
  auto allocate = make<sy_allocate_args>();
  allocate.device = open_device();
  allocate.size_bytes = 8;
  ASSERT_EQ(enter().allocate(&allocate, nullptr), SY_OK);
  EXPECT_EQ(allocate.storage % 64, 0u);
  const float from[2] = {1, 2};
  const int64_t shape[] = {2}, backwards[] = {-1};
  auto source = make<sy_region>(), destination = make<sy_region>();
  source.kind = SY_REGION_HOST;
  source.handle = reinterpret_cast<uint64_t>(from);
  source.offset_bytes = 4;
  source.strides = backwards;
  destination.handle = allocate.storage;
  auto copy = make<sy_copy_args>();
  copy.dtype = SY_FLOAT32;
  copy.stream = create_stream();
  copy.source = &source;
  copy.destination = &destination;
  copy.shape = shape;
  copy.rank = 1;
  ASSERT_EQ(enter().copy(&copy, nullptr), SY_OK);
  EXPECT_EQ(copy.sequence, 1u);
  EXPECT_EQ(reinterpret_cast<const float*>(allocate.storage)[0], 2);
  auto release = make<sy_storage_args>();
  release.storage = allocate.storage;
  EXPECT_EQ(enter().release(&release, nullptr), SY_OK);
  destroy(Unary({1}, {1}).prepare(), copy.stream);
}

}  // namespace

// The fakes do what tests/fake-plugins/VARIANTS.md says of them: other tests build on it.
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "plugin-api/plugin_driver.hpp"
#include "plugin_loader/fakes.hpp"

namespace switchyard {
namespace {

using driver::make;
using driver::Numbers;
using Floats = std::vector<float>;

struct NodeText {
  const char* op;
  std::vector<uint32_t> inputs;
  uint32_t output;
};

// Values, nodes and the program over them; inputs come first and the output is the last value.
struct TestProgram {
  TestProgram(std::vector<Numbers> input_shapes, std::vector<NodeText> texts, Numbers output_shape,
              sy_dtype output_dtype = SY_FLOAT32)
      : shapes(std::move(input_shapes)), nodes_text(std::move(texts)) {
    const auto input_count = static_cast<uint32_t>(shapes.size());
    for (uint32_t i = 0; i < input_count; ++i) inputs.push_back(i);
    while (shapes.size() < nodes_text.back().output) shapes.push_back({});
    shapes.push_back(std::move(output_shape));
    output = static_cast<uint32_t>(shapes.size()) - 1;
    for (const Numbers& shape : shapes) values.push_back(value_of(shape));
    values.back().dtype = output_dtype;
    for (const NodeText& text : nodes_text) nodes.push_back(node_of(text));
    program.value_count = static_cast<uint32_t>(values.size());
    program.values = values.data();
    program.nodes = nodes.data();
    program.node_count = static_cast<uint32_t>(nodes.size());
    program.inputs = inputs.data();
    program.input_count = input_count;
    program.outputs = &output;
    program.output_count = 1;
  }
  TestProgram(const TestProgram&) = delete;
  TestProgram& operator=(const TestProgram&) = delete;

  static sy_value value_of(const Numbers& shape) {
    auto value = make<sy_value>();
    value.dtype = SY_FLOAT32;
    value.rank = static_cast<uint32_t>(shape.size());
    value.shape = shape.data();
    return value;
  }

  static sy_node node_of(const NodeText& text) {
    auto node = make<sy_node>();
    node.version = 13;
    node.domain = "";
    node.op = text.op;
    node.inputs = text.inputs.data();
    node.input_count = static_cast<uint32_t>(text.inputs.size());
    node.outputs = &text.output;
    node.output_count = 1;
    return node;
  }

  std::vector<Numbers> shapes;
  std::vector<NodeText> nodes_text;
  std::vector<sy_value> values;
  std::vector<sy_node> nodes;
  std::vector<uint32_t> inputs;
  uint32_t output = 0;
  sy_program program = make<sy_program>();
};

// A kernel with all that `prepare` said.
struct TestKernel {
  sy_status status = SY_OK;
  sy_kernel handle = nullptr;
  sy_output_plan plan = make<sy_output_plan>();
  std::array<int64_t, SY_MAX_RANK> bound = {};
  std::array<int64_t, SY_MAX_RANK> strides = {};
  std::vector<uint8_t> specialised_on;
  std::vector<sy_packed_constant> constants;
};

class Fake {
 public:
  explicit Fake(const std::string& variant, uint32_t device_index = 0)
      : plugin(load_fake(variant).plugin), device(plugin->host(), plugin->table(), device_index) {}

  driver::Operand upload(Numbers shape, const Floats& values) {
    return {.shape = std::move(shape), .storage = device.upload(values)};
  }

  std::unique_ptr<TestKernel> prepare(const TestProgram& program) {
    auto kernel = std::make_unique<TestKernel>();
    kernel->plan.bound = kernel->bound.data();
    kernel->plan.strides = kernel->strides.data();
    kernel->specialised_on.assign(program.inputs.size(), SY_ON_ALL);
    kernel->constants.assign(program.inputs.size(), make<sy_packed_constant>());
    auto args = make<sy_prepare_args>();
    args.device = device.handle();
    args.program = &program.program;
    args.specialised_on = kernel->specialised_on.data();
    args.outputs = &kernel->plan;
    args.constants = kernel->constants.data();
    kernel->status = plugin->api().prepare(&args, nullptr);
    kernel->handle = args.kernel;
    return kernel;
  }

  sy_verdict judge(const TestProgram& program) {
    auto verdict = make<sy_verdict>();
    auto args = make<sy_supports_args>();
    args.device = device.handle();
    args.program = &program.program;
    args.verdicts = &verdict;
    EXPECT_EQ(plugin->api().supports(&args, nullptr), SY_OK);
    return verdict;
  }

  void release(const sy_packed_constant& constant) {
    auto args = make<sy_constant_args>();
    args.device = device.handle();
    args.constant = constant.packed;
    EXPECT_EQ(plugin->api().release_constant(&args, nullptr), SY_OK);
  }

  // One op on inputs that are there, into an exact output.
  Floats compute(const TestProgram& program, const std::vector<driver::Operand>& inputs) {
    const auto kernel = prepare(program);
    EXPECT_EQ(kernel->status, SY_OK);
    const Numbers& shape = program.shapes[program.output];
    const auto count =
        std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<int64_t>());
    const driver::Operand output = {
        .shape = shape, .storage = device.allocate(sizeof(float) * static_cast<uint64_t>(count))};
    device.wait(device.run(kernel->handle, inputs, output));
    device.destroy(kernel->handle);
    return device.download(output);
  }

  std::shared_ptr<const Plugin> plugin;
  driver::Device device;
};

const TestProgram& add_program() {
  static const TestProgram program({{2, 2}, {2}}, {{"Add", {0, 1}, 2}}, {2, 2});
  return program;
}

TEST(Fakes, Compute) {
  for (const char* variant : {"good", "asynchronous", "no_events", "mappable", "opaque",
                              "whole_programs", "unknown_extension"}) {
    Fake fake(variant);
    const auto a = fake.upload({2, 2}, {1, -2, 3, -4});
    const auto b = fake.upload({2}, {10, 1});
    EXPECT_EQ(fake.compute(add_program(), {a, b}), (Floats{11, -1, 13, -3})) << variant;
    const TestProgram relu({{2, 2}}, {{"Relu", {0}, 1}}, {2, 2});
    EXPECT_EQ(fake.compute(relu, {a}), (Floats{1, 0, 3, 0})) << variant;
    const TestProgram matmul({{2, 2}, {2, 2}}, {{"MatMul", {0, 1}, 2}}, {2, 2});
    EXPECT_EQ(fake.compute(matmul, {a, a}), (Floats{-5, 6, -9, 10})) << variant;
  }
}

TEST(Fakes, TakeWholePrograms) {
  Fake fake("whole_programs");
  EXPECT_TRUE(fake.plugin->devices().front().info.flags & SY_DEVICE_WHOLE_PROGRAMS_ONLY);
  const TestProgram program({{2, 3}, {3, 2}, {2}},
                            {{"MatMul", {0, 1}, 3}, {"Add", {3, 2}, 4}, {"Relu", {4}, 5}}, {2, 2});
  const auto a = fake.upload({2, 3}, {1, 2, 3, 4, 5, 6});
  const auto b = fake.upload({3, 2}, {1, 0, 0, 1, 1, -1});
  const auto c = fake.upload({2}, {1, -1});
  EXPECT_EQ(fake.compute(program, {a, b, c}), (Floats{5, 0, 11, 0}));
}

// A run of one input and one output, on the device's own stream. Both outlive it.
sy_run_args run_args(Fake& fake, const TestKernel& kernel, const sy_tensor& input,
                     const sy_tensor& output) {
  auto args = make<sy_run_args>();
  args.stream = fake.device.stream();
  args.kernel = kernel.handle;
  args.inputs = &input;
  args.input_count = 1;
  args.outputs = &output;
  args.output_count = 1;
  return args;
}

TEST(Fakes, GiveNonZeroWithinABound) {
  Fake fake("good");
  const TestProgram program({{2, 3}}, {{"NonZero", {0}, 1}}, {2, SY_UNKNOWN_DIMENSION}, SY_INT64);
  const auto kernel = fake.prepare(program);
  ASSERT_EQ(kernel->status, SY_OK);
  ASSERT_EQ(kernel->plan.mode, SY_OUTPUT_BOUNDED);
  ASSERT_EQ(kernel->plan.rank, 2u);
  EXPECT_EQ(kernel->bound[0], 2);
  EXPECT_EQ(kernel->bound[1], 6);

  const auto input = fake.upload({2, 3}, {0, 7, 0, 8, 0, 9}).storage;
  std::array<int64_t, 12> found = {};
  auto tensor = driver::Operand{.shape = {2, 3}, .storage = input}.tensor();
  const Numbers in_shape = {2, 3};
  const Numbers out_shape = {2, 6};
  tensor.shape = in_shape.data();
  auto result = make<sy_tensor>();
  result.dtype = SY_INT64;
  result.storage = fake.device.allocate(sizeof(found));
  result.shape = out_shape.data();
  result.rank = 2;
  std::array<int64_t, 2> written = {};
  int64_t* const extents = written.data();
  sy_run_args args = run_args(fake, *kernel, tensor, result);
  args.extents = &extents;
  ASSERT_EQ(fake.plugin->api().run(&args, nullptr), SY_OK);
  EXPECT_EQ(written, (std::array<int64_t, 2>{2, 3}));
  fake.device.wait(fake.device.copy(SY_INT64, {12}, driver::storage_region(result.storage),
                                    driver::host_region(found.data())));
  EXPECT_EQ(found, (std::array<int64_t, 12>{0, 1, 1, 0, 0, 0, 1, 0, 2, 0, 0, 0}));
  fake.device.destroy(kernel->handle);
}

// What a deferred output asks its host for.
struct Asked {
  driver::Device* device;
  Numbers shape;
  sy_storage storage = 0;

  static sy_status allocate(void* context, uint32_t output, uint32_t rank, const int64_t* shape,
                            sy_storage* storage, uint64_t* offset_bytes) {
    auto& self = *static_cast<Asked*>(context);
    EXPECT_EQ(output, 0u);
    self.shape.assign(shape, shape + rank);
    self.storage = *storage = self.device->allocate(256);
    *offset_bytes = 16;
    return SY_OK;
  }
};

TEST(Fakes, GiveNonZeroDeferred) {
  Fake fake("deferred");
  const Numbers shape = {4};
  const TestProgram program({shape}, {{"NonZero", {0}, 1}}, {1, SY_UNKNOWN_DIMENSION}, SY_INT64);
  const auto kernel = fake.prepare(program);
  ASSERT_EQ(kernel->plan.mode, SY_OUTPUT_DEFERRED);
  auto tensor = make<sy_tensor>();
  tensor.dtype = SY_FLOAT32;
  tensor.storage = fake.device.upload({0, 5, 0, 6});
  tensor.shape = shape.data();
  tensor.rank = 1;
  auto result = make<sy_tensor>();
  result.dtype = SY_INT64;
  Asked asked{&fake.device, {}};
  auto allocator = make<sy_output_allocator>();
  allocator.context = &asked;
  allocator.allocate = Asked::allocate;
  sy_run_args args = run_args(fake, *kernel, tensor, result);
  args.allocator = &allocator;
  ASSERT_EQ(fake.plugin->api().run(&args, nullptr), SY_OK);
  EXPECT_EQ(asked.shape, (Numbers{1, 2}));
  std::array<int64_t, 2> found = {};
  fake.device.wait(fake.device.copy(SY_INT64, {2}, driver::storage_region(asked.storage, 16),
                                    driver::host_region(found.data())));
  EXPECT_EQ(found, (std::array<int64_t, 2>{1, 3}));
  fake.device.destroy(kernel->handle);
}

TEST(Fakes, ShareAPackedConstantThatOutlivesItsOriginal) {
  Fake fake("packed_constants");
  const Floats matrix = {1, 2, 3, 4, 5, 6};
  TestProgram program({{1, 2}, {2, 3}}, {{"MatMul", {0, 1}, 2}}, {1, 3});
  program.values[1].flags = SY_VALUE_CONSTANT;
  program.values[1].data = matrix.data();
  program.values[1].constant_id = 77;
  const auto first = fake.prepare(program);
  const auto second = fake.prepare(program);
  ASSERT_NE(first->constants[1].packed, nullptr);
  EXPECT_EQ(first->constants[1].packed, second->constants[1].packed);
  EXPECT_EQ(first->constants[1].size_bytes, 24u);
  EXPECT_EQ(first->constants[1].original_unneeded, 1u);
  EXPECT_EQ(first->constants[0].packed, nullptr);
  fake.device.destroy(first->handle);
  fake.release(first->constants[1]);

  const driver::Operand gone = {.shape = {2, 3}};
  const driver::Operand output = {.shape = {1, 3}, .storage = fake.device.allocate(12)};
  fake.device.wait(fake.device.run(second->handle, {fake.upload({1, 2}, {1, 10}), gone}, output));
  EXPECT_EQ(fake.device.download(output), (Floats{41, 52, 63}));
  fake.device.destroy(second->handle);
  fake.release(second->constants[1]);
}

TEST(Fakes, ProposeChannelsLast) {
  Fake fake("channels_last");
  const TestProgram program({{1, 2, 3, 4}}, {{"Relu", {0}, 1}}, {1, 2, 3, 4});
  const auto kernel = fake.prepare(program);
  EXPECT_EQ(kernel->plan.proposes_strides, 1u);
  ASSERT_EQ(kernel->plan.rank, 4u);
  EXPECT_EQ(Numbers(kernel->strides.begin(), kernel->strides.begin() + 4), (Numbers{24, 1, 8, 2}));
  Floats values(24);
  std::iota(values.begin(), values.end(), 0.f);
  const auto input = fake.upload({1, 2, 3, 4}, values);
  const driver::Operand output = {
      .shape = {1, 2, 3, 4}, .strides = {24, 1, 8, 2}, .storage = fake.device.allocate(96)};
  fake.device.wait(fake.device.run(kernel->handle, {input}, output));
  EXPECT_EQ(fake.device.download(output), values);
  fake.device.destroy(kernel->handle);
}

TEST(Fakes, MapMemoryThatIsNoAddress) {
  Fake fake("mappable");
  EXPECT_TRUE(fake.plugin->has_map());
  const auto operand = fake.upload({2}, {1, 2});
  auto args = make<sy_map_args>();
  args.access = SY_MAP_READ;
  args.device = fake.device.handle();
  args.storage = operand.storage;
  args.offset_bytes = 4;
  args.size_bytes = 4;
  ASSERT_EQ(fake.plugin->api().map(&args, nullptr), SY_OK);
  EXPECT_EQ(*static_cast<float*>(args.pointer), 2);
}

TEST(Fakes, CopyBetweenTwoDevices) {
  Fake first("two_devices", 0);
  Fake second("two_devices", 1);
  const auto source = first.upload({2}, {3, 4});
  auto region = driver::storage_region(source.storage);
  region.kind = SY_REGION_PEER;
  region.peer = first.device.handle();
  const driver::Operand output = {.shape = {2}, .storage = second.device.allocate(8)};
  second.device.wait(
      second.device.copy(SY_FLOAT32, {2}, region, driver::storage_region(output.storage)));
  EXPECT_EQ(second.device.download(output), (Floats{3, 4}));
}

TEST(Fakes, RefuseWhereTheySay) {
  Fake late("prepare_refuses");
  EXPECT_EQ(late.judge(add_program()).kind, SY_SUPPORTED);
  EXPECT_EQ(late.prepare(add_program())->status, SY_UNSUPPORTED);
  Fake later("prepare_refuses_depends");
  EXPECT_EQ(later.judge(add_program()).kind, SY_DEPENDS);
  EXPECT_EQ(later.prepare(add_program())->status, SY_UNSUPPORTED);
  Fake last("run_refuses_depends");
  EXPECT_EQ(last.judge(add_program()).kind, SY_DEPENDS);
  const auto kernel = last.prepare(add_program());
  ASSERT_EQ(kernel->status, SY_OK);
  uint64_t sequence = 0;
  EXPECT_EQ(last.device.try_run(kernel->handle, {}, {}, sequence), SY_UNSUPPORTED);
  last.device.destroy(kernel->handle);
}

TEST(Fakes, RunOutOfMemory) {
  sy_storage storage = 0;
  Fake fake("out_of_memory");
  for (int i = 0; i < 3; ++i) EXPECT_EQ(fake.device.try_allocate(8, storage), SY_OUT_OF_MEMORY);
  Fake once("out_of_memory_once");
  EXPECT_EQ(once.device.try_allocate(8, storage), SY_OUT_OF_MEMORY);
  EXPECT_EQ(once.device.try_allocate(8, storage), SY_OK);
}

// What each of some runs of an addition came to.
std::vector<sy_status> run_statuses(Fake& fake, int runs) {
  const auto a = fake.upload({2, 2}, {1, 2, 3, 4});
  const auto b = fake.upload({2}, {1, 1});
  const driver::Operand output = {.shape = {2, 2}, .storage = fake.device.allocate(16)};
  const auto kernel = fake.prepare(add_program());
  std::vector<sy_status> statuses;
  for (int i = 0; i < runs; ++i) {
    uint64_t sequence = 0;
    statuses.push_back(fake.device.try_run(kernel->handle, {a, b}, output, sequence));
    if (statuses.back() == SY_OK) statuses.back() = fake.device.try_wait(sequence);
  }
  fake.device.destroy(kernel->handle);
  return statuses;
}

sy_status recover(Fake& fake) {
  auto args = make<sy_device_args>();
  args.device = fake.device.handle();
  return fake.plugin->api().recover(&args, nullptr);
}

using Statuses = std::vector<sy_status>;

TEST(Fakes, FailOnceAndWorkAgain) {
  Fake fake("run_transient");
  EXPECT_EQ(run_statuses(fake, 3), (Statuses{SY_TRANSIENT, SY_OK, SY_OK}));
}

TEST(Fakes, AreLostUntilTheyRecover) {
  Fake fake("run_lost");
  EXPECT_EQ(run_statuses(fake, 2), (Statuses{SY_DEVICE_LOST, SY_DEVICE_LOST}));
  EXPECT_EQ(recover(fake), SY_OK);
  EXPECT_EQ(run_statuses(fake, 2), (Statuses{SY_OK, SY_OK}));
  Fake gone("run_lost_for_ever");
  EXPECT_EQ(run_statuses(gone, 1), (Statuses{SY_DEVICE_LOST}));
  EXPECT_EQ(recover(gone), SY_DEVICE_LOST);
  Fake broken("run_bug");
  EXPECT_EQ(run_statuses(broken, 2), (Statuses{SY_BUG, SY_BUG}));
}

TEST(Fakes, FailAfterTheEnqueueForGood) {
  Fake fake("run_sticky");
  EXPECT_EQ(run_statuses(fake, 2), (Statuses{SY_DEVICE_LOST, SY_DEVICE_LOST}));
}

TEST(Fakes, HaveEvents) {
  Fake fake("asynchronous");
  ASSERT_TRUE(fake.plugin->has_events());
  EXPECT_FALSE(Fake("no_events").plugin->has_events());
  const sy_plugin& api = fake.plugin->table();
  auto create = make<sy_create_event_args>();
  create.device = fake.device.handle();
  ASSERT_EQ(api.create_event(&create, nullptr), SY_OK);
  auto event = make<sy_event_args>();
  event.event = create.event;
  event.stream = fake.device.stream();
  EXPECT_EQ(api.record_event(&event, nullptr), SY_OK);
  EXPECT_EQ(api.wait_for_event(&event, nullptr), SY_OK);
  event.stream = nullptr;
  EXPECT_EQ(api.wait_event(&event, nullptr), SY_OK);
  EXPECT_EQ(api.destroy_event(&event, nullptr), SY_OK);
}

}  // namespace
}  // namespace switchyard

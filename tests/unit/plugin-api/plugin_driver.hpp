// Drives a plugin through its C table alone, as a host would. Calls that must succeed are checked
// here; those named try_… hand back what the plugin answered.
#pragma once

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <switchyard/plugin.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace driver {

using Numbers = std::vector<int64_t>;

template <typename Args>
Args make() {
  Args args = {};
  args.struct_size = sizeof(Args);
  return args;
}

// The entry of the plugin at `path`, which is opened for good; null, with a failure, if it does not
// open.
inline sy_plugin_entry find_entry(const std::string& path) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    ADD_FAILURE() << dlerror();
    return nullptr;
  }
  return reinterpret_cast<sy_plugin_entry>(dlsym(library, "switchyard_plugin_entry"));
}

// A host's services, with options that are integers.
class Host {
 public:
  explicit Host(const std::vector<std::pair<const char*, int64_t>>& integers = {}) {
    for (const auto& [key, value] : integers) {
      sy_option option = make<sy_option>();
      option.kind = SY_OPTION_INT;
      option.key = key;
      option.integer = value;
      options_.push_back(option);
    }
    host_.thread_limit = 1;
    host_.library_path = "";
    host_.options = options_.data();
    host_.option_count = options_.size();
    host_.log = [](void*, sy_log_level, const char*) {};
  }
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  const sy_host& raw() const { return host_; }

  sy_status try_enter(sy_plugin_entry entry, uint32_t version, const sy_plugin** plugin,
                      sy_error* error) const {
    sy_entry_args args = make<sy_entry_args>();
    args.min_version = args.max_version = version;
    args.host = &host_;
    const sy_status status = entry(&args, error);
    *plugin = args.plugin;
    return status;
  }

 private:
  std::vector<sy_option> options_;
  sy_host host_ = make<sy_host>();
};

// What a tensor is to a program and to a run.
struct Operand {
  Numbers shape;
  Numbers strides = {};  // empty: contiguous
  sy_storage storage = 0;
  uint64_t offset_bytes = 0;
  sy_dtype dtype = SY_FLOAT32;
  uint32_t flags = 0;
  float immediate = 0;

  const int64_t* strides_or_null() const { return strides.empty() ? nullptr : strides.data(); }

  sy_value value() const {
    sy_value value = make<sy_value>();
    value.flags = flags;
    value.dtype = dtype;
    value.rank = static_cast<uint32_t>(shape.size());
    value.shape = shape.data();
    return value;
  }

  sy_tensor tensor() const {
    sy_tensor tensor = make<sy_tensor>();
    tensor.dtype = dtype;
    tensor.storage = storage;
    tensor.offset_bytes = offset_bytes;
    tensor.shape = shape.data();
    tensor.strides = strides_or_null();
    tensor.rank = static_cast<uint32_t>(shape.size());
    std::memcpy(tensor.immediate, &immediate, sizeof(immediate));
    return tensor;
  }
};

// A program of one node: its inputs are values 0 to n-1, its output is value n. `node_inputs` says
// which of them the node reads, if not each once.
class Program {
 public:
  Program(const char* op, uint32_t version, std::vector<Operand> inputs, Operand output,
          std::vector<uint32_t> node_inputs = {})
      : operands_(std::move(inputs)), node_inputs_(std::move(node_inputs)) {
    output_ = static_cast<uint32_t>(operands_.size());
    for (uint32_t i = 0; i < output_; ++i) inputs_.push_back(i);
    if (node_inputs_.empty()) node_inputs_ = inputs_;
    operands_.push_back(std::move(output));
    for (const Operand& operand : operands_) values_.push_back(operand.value());
    node_.version = version;
    node_.domain = "";
    node_.op = op;
    node_.inputs = node_inputs_.data();
    node_.outputs = &output_;
    node_.input_count = static_cast<uint32_t>(node_inputs_.size());
    node_.output_count = 1;
    program_.value_count = static_cast<uint32_t>(values_.size());
    program_.values = values_.data();
    program_.nodes = &node_;
    program_.node_count = 1;
    program_.inputs = inputs_.data();
    program_.input_count = output_;
    program_.outputs = &output_;
    program_.output_count = 1;
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  const sy_program* get() const { return &program_; }

 private:
  std::vector<Operand> operands_;
  std::vector<sy_value> values_;
  std::vector<uint32_t> inputs_, node_inputs_;
  uint32_t output_ = 0;
  sy_node node_ = make<sy_node>();
  sy_program program_ = make<sy_program>();
};

inline sy_region host_region(const void* pointer, const int64_t* strides = nullptr) {
  sy_region region = make<sy_region>();
  region.kind = SY_REGION_HOST;
  region.handle = reinterpret_cast<uint64_t>(pointer);
  region.strides = strides;
  return region;
}

inline sy_region storage_region(sy_storage storage, uint64_t offset_bytes = 0,
                                const int64_t* strides = nullptr) {
  sy_region region = make<sy_region>();
  region.kind = SY_REGION_STORAGE;
  region.handle = storage;
  region.offset_bytes = offset_bytes;
  region.strides = strides;
  return region;
}

// What `prepare` answered.
struct Prepared {
  sy_status status;
  std::string message;
  sy_kernel kernel;
  uint64_t workspace_bytes;
  std::vector<uint8_t> specialised_on;
  sy_output_plan plan;
};

// Hears of no device that fails while nobody calls it.
inline const sy_device_listener& listener() {
  static const sy_device_listener deaf = [] {
    auto made = make<sy_device_listener>();
    made.lost = [](void*, const char*) {};
    return made;
  }();
  return deaf;
}

// An open device with one stream. It releases the storages that it allocated.
class Device {
 public:
  Device(const sy_host& host, const sy_plugin& plugin, uint32_t index = 0) : plugin_(plugin) {
    auto open = make<sy_open_device_args>();
    open.host = &host;
    open.index = index;
    open.listener = &listener();
    check(plugin_.open_device(&open, &error_));
    device_ = open.device;
    auto create = make<sy_create_stream_args>();
    create.device = device_;
    check(plugin_.create_stream(&create, &error_));
    stream_ = create.stream;
    completed_ = create.completed;
  }

  ~Device() {
    auto stream = make<sy_stream_args>();
    stream.stream = stream_;
    check(plugin_.destroy_stream(&stream, &error_));
    for (const sy_storage storage : storages_) {
      auto release = make<sy_storage_args>();
      release.device = device_;
      release.storage = storage;
      check(plugin_.release(&release, &error_));
    }
    auto close = make<sy_device_args>();
    close.device = device_;
    check(plugin_.close_device(&close, &error_));
  }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  sy_device handle() const { return device_; }
  sy_stream stream() const { return stream_; }
  uint64_t completed() const { return __atomic_load_n(completed_, __ATOMIC_ACQUIRE); }

  // What the last call that failed said.
  std::string message() const { return error_.message; }

  sy_status try_allocate(uint64_t size_bytes, sy_storage& storage) {
    auto args = make<sy_allocate_args>();
    args.device = device_;
    args.stream = stream_;
    args.size_bytes = size_bytes;
    const sy_status status = plugin_.allocate(&args, &error_);
    storage = args.storage;
    if (status == SY_OK) storages_.push_back(storage);
    return status;
  }
  sy_storage allocate(uint64_t size_bytes) {
    sy_storage storage = 0;
    check(try_allocate(size_bytes, storage));
    return storage;
  }

  sy_status try_copy(sy_dtype dtype, const Numbers& shape, const sy_region& source,
                     const sy_region& destination, uint64_t& sequence) {
    auto args = make<sy_copy_args>();
    args.dtype = dtype;
    args.device = device_;
    args.stream = stream_;
    args.source = &source;
    args.destination = &destination;
    args.shape = shape.data();
    args.rank = static_cast<uint32_t>(shape.size());
    const sy_status status = plugin_.copy(&args, &error_);
    sequence = args.sequence;
    return status;
  }
  uint64_t copy(sy_dtype dtype, const Numbers& shape, const sy_region& source,
                const sy_region& destination) {
    uint64_t sequence = 0;
    check(try_copy(dtype, shape, source, destination, sequence));
    return sequence;
  }

  // A storage that holds `values`.
  sy_storage upload(const std::vector<float>& values) {
    const sy_storage storage = allocate(std::max<size_t>(values.size(), 1) * sizeof(float));
    wait(copy(SY_FLOAT32, {static_cast<int64_t>(values.size())}, host_region(values.data()),
              storage_region(storage)));
    return storage;
  }

  std::vector<float> download(const Operand& operand) {
    int64_t count = 1;
    for (const int64_t extent : operand.shape) count *= extent;
    std::vector<float> values(static_cast<size_t>(count));
    wait(copy(SY_FLOAT32, operand.shape,
              storage_region(operand.storage, operand.offset_bytes, operand.strides_or_null()),
              host_region(values.data())));
    return values;
  }

  sy_verdict judge(const Program& program) {
    auto verdict = make<sy_verdict>();
    auto args = make<sy_supports_args>();
    args.device = device_;
    args.program = program.get();
    args.verdicts = &verdict;
    check(plugin_.supports(&args, &error_));
    return verdict;
  }

  Prepared prepare(const Program& program) {
    const uint32_t inputs = program.get()->input_count;
    std::vector<int64_t> bound(SY_MAX_RANK), strides(SY_MAX_RANK);
    std::vector<sy_packed_constant> constants(inputs, make<sy_packed_constant>());
    Prepared prepared = {};
    prepared.specialised_on.assign(inputs, SY_ON_ALL);
    prepared.plan = make<sy_output_plan>();
    prepared.plan.bound = bound.data();
    prepared.plan.strides = strides.data();
    auto args = make<sy_prepare_args>();
    args.device = device_;
    args.program = program.get();
    args.workspace_bytes = 99;
    args.specialised_on = prepared.specialised_on.data();
    args.outputs = &prepared.plan;
    args.constants = constants.data();
    prepared.status = plugin_.prepare(&args, &error_);
    prepared.message = error_.message;
    prepared.kernel = args.kernel;
    prepared.workspace_bytes = args.workspace_bytes;
    return prepared;
  }

  void destroy(sy_kernel kernel) {
    auto args = make<sy_kernel_args>();
    args.kernel = kernel;
    check(plugin_.destroy_kernel(&args, &error_));
  }

  sy_status try_run(sy_kernel kernel, const std::vector<Operand>& inputs, const Operand& output,
                    uint64_t& sequence) {
    std::vector<sy_tensor> tensors;
    for (const Operand& input : inputs) tensors.push_back(input.tensor());
    const sy_tensor result = output.tensor();
    int64_t* const extents = nullptr;
    auto args = make<sy_run_args>();
    args.stream = stream_;
    args.kernel = kernel;
    args.inputs = tensors.data();
    args.input_count = static_cast<uint32_t>(tensors.size());
    args.outputs = &result;
    args.output_count = 1;
    args.extents = &extents;
    const sy_status status = plugin_.run(&args, &error_);
    sequence = args.sequence;
    return status;
  }
  uint64_t run(sy_kernel kernel, const std::vector<Operand>& inputs, const Operand& output) {
    uint64_t sequence = 0;
    check(try_run(kernel, inputs, output, sequence));
    return sequence;
  }

  sy_status try_wait(uint64_t sequence) {
    auto args = make<sy_wait_args>();
    args.stream = stream_;
    args.sequence = sequence;
    return plugin_.wait(&args, &error_);
  }
  void wait(uint64_t sequence) { check(try_wait(sequence)); }

 private:
  void check(sy_status status) { EXPECT_EQ(status, SY_OK) << error_.message; }

  const sy_plugin& plugin_;
  sy_device device_ = nullptr;
  sy_stream stream_ = nullptr;
  const volatile uint64_t* completed_ = nullptr;
  std::vector<sy_storage> storages_;
  sy_error error_ = make<sy_error>();
};

}  // namespace driver

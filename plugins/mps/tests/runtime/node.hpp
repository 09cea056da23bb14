// One node through the plugin's table, its tensors lying as a test wants them.
//
//   Node relu(device, "Relu", 14);
//   relu.prepare({input(sliced({2, 3}), elements)}, SY_FLOAT32, {2, 3});
//   std::vector<float> result = relu.run<float>(stream, inputs, permuted({2, 3}));
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <string>
#include <vector>

#include "switchyard/plugin/dtype.hpp"
#include "table.hpp"
#include "view.hpp"

namespace mps::runtime_tests {

// A tensor and its elements, in row-major order.
struct Input {
  sy_dtype dtype = 0;
  View view;
  std::vector<std::byte> elements;
  bool on_host = false;
};

template <typename T>
std::vector<std::byte> bytes_of(const std::vector<T>& elements) {
  std::vector<std::byte> bytes(elements.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), elements.data(), bytes.size());
  return bytes;
}

// Where a view repeats elements, they must be equal.
template <typename T>
Input input(View view, const std::vector<T>& elements) {
  return {sy::dtype_of<T>, std::move(view), bytes_of(elements), false};
}

// Axes and sizes, known before the run.
Input host_integers(const std::vector<int64_t>& elements);

// A storage that is released with it.
class Storage {
 public:
  Storage(const OpenStream& stream, size_t bytes)
      : device_(stream.device()), handle_(device_.allocate(bytes, stream.handle())) {}
  ~Storage() { device_.release(handle_); }
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;
  sy_storage handle() const { return handle_; }

 private:
  const OpenDevice& device_;
  const sy_storage handle_;
};

// Leaves memory behind, full of `byte`, that the stream's next storages and temporaries get.
void soil(const OpenStream& stream, std::byte byte);

// A storage that holds a tensor as its view wants it, and other bytes around it.
class Placed {
 public:
  Placed(const OpenStream& stream, sy_dtype dtype, const View& view);
  sy_storage handle() const { return storage_.handle(); }
  sy_tensor tensor() const;

  void write(const std::vector<std::byte>& elements);
  // Fails the test if a byte around the view has changed.
  std::vector<std::byte> read() const;

 private:
  size_t bytes() const { return static_cast<size_t>(view_.room) * element_; }

  const OpenStream& stream_;
  const sy_dtype dtype_;
  const size_t element_;
  const View view_;
  const Storage storage_;
};

class Node {
 public:
  Node(const OpenDevice& device, std::string op, uint32_t version)
      : device_(device), op_(std::move(op)), version_(version) {}
  ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  Node& attribute(const std::string& name, int64_t number);
  Node& attribute(const std::string& name, std::vector<int64_t> numbers);

  // Makes the kernel, anew where there was one. Only types, shapes and host inputs are read.
  Node& prepare(const std::vector<Input>& inputs, sy_dtype dtype, const Shape& shape);

  // Enqueues; inputs that lie on the host are given as `on_host` says.
  uint64_t enqueue(const OpenStream& stream, const std::vector<sy_tensor>& inputs,
                   const sy_tensor& output) const;

  // Runs and waits: the result in row-major order.
  std::vector<std::byte> run_bytes(const OpenStream& stream, const std::vector<Input>& inputs,
                                   const View& output) const;
  template <typename T>
  std::vector<T> run(const OpenStream& stream, const std::vector<Input>& inputs,
                     const View& output) const {
    const std::vector<std::byte> bytes = run_bytes(stream, inputs, output);
    std::vector<T> elements(bytes.size() / sizeof(T));
    if (!bytes.empty()) std::memcpy(elements.data(), bytes.data(), bytes.size());
    return elements;
  }

 private:
  struct Attribute {
    std::string name;
    std::vector<int64_t> numbers;
    bool is_list;
  };

  void destroy();

  const OpenDevice& device_;
  const std::string op_;
  const uint32_t version_;
  std::deque<Attribute> attributes_;
  sy_dtype output_dtype_ = 0;
  sy_kernel kernel_ = nullptr;
};

}  // namespace mps::runtime_tests

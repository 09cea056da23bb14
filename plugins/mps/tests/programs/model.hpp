// A program of many nodes, built by hand and run through the plugin's table on the software device:
// as a whole, and node by node.
//
//   Model model;
//   const Id x = model.input(contiguous({2, 3}), elements);
//   model.output(model.node("Relu", {x}, {2, 3}));
//   model.expect_same();
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "ops/case.hpp"
#include "programs/program.hpp"
#include "runtime/node.hpp"
#include "runtime/table.hpp"
#include "runtime/view.hpp"

namespace mps::program_tests {

using op_tests::dtype;
using op_tests::half;
using op_tests::Truth;
using runtime_tests::contiguous;
using runtime_tests::OpenDevice;
using runtime_tests::OpenStream;
using runtime_tests::Placed;
using runtime_tests::Shape;
using runtime_tests::View;

using Id = uint32_t;
using Bytes = std::vector<std::byte>;
using Setting = std::variant<int64_t, float, std::string, std::vector<int64_t>>;
using Settings = std::map<std::string, Setting>;

// How many pieces of each kind a program becomes.
struct Pieces {
  size_t nodes = 0;
  size_t graphs = 0;
  size_t chains = 0;
  size_t attentions = 0;
  bool operator==(const Pieces&) const = default;
};
void PrintTo(const Pieces& pieces, std::ostream* stream);

// Every element another, in about -2 to 2, by `seed`.
std::vector<float> numbers(const Shape& shape, uint32_t seed = 1);
std::vector<half> halves(const Shape& shape, uint32_t seed = 1);

class Model {
 public:
  template <typename T>
  Id input(const View& view, const std::vector<T>& elements) {
    return add_value({dtype<T>(), view.shape, 0, runtime_tests::bytes_of(elements), view});
  }
  template <typename T>
  Id constant(const Shape& shape, const std::vector<T>& elements) {
    return add_value({dtype<T>(), shape, SY_VALUE_CONSTANT, runtime_tests::bytes_of(elements),
                      contiguous(shape)});
  }
  // In host memory, known before the run.
  Id host(const std::vector<int64_t>& elements);

  // One output of such a shape, of the type of input 0 unless another is given.
  Id node(const std::string& op, const std::vector<Id>& inputs, const Shape& shape,
          const Settings& settings = {}, sy_dtype dtype = 0);
  std::vector<Id> node_of_many(const std::string& op, const std::vector<Id>& inputs,
                               const std::vector<Shape>& shapes, const Settings& settings = {},
                               const std::vector<sy_dtype>& dtypes = {});
  // The node that was added last is of such a domain, not of ONNX's own.
  void in_domain(const char* domain) { steps_.back().domain = domain; }
  void output(Id value);
  void output(Id value, const View& view);

  // The kernel of all nodes, made once. The device has to outlive this model.
  sy_kernel kernel(const OpenDevice& device);
  const Program& program(const OpenDevice& device);
  Pieces pieces(const OpenDevice& device);
  std::vector<sy_verdict> verdicts(const OpenDevice& device);

  // The outputs, in row-major order.
  std::vector<Bytes> whole(const OpenStream& stream);
  std::vector<Bytes> one_by_one(const OpenStream& stream) const;

  // Both, compared: bit for bit, or floats within `tolerance` times 1 + |expected|.
  void expect_same(const OpenDevice& device, double tolerance = 0);

  // Storages and tensors of one run of the whole, for tests that keep several in flight.
  class Running {
   public:
    Running(Model& model, const OpenStream& stream);
    // Enqueues.
    uint64_t start();
    // Waits.
    std::vector<Bytes> results() const;

   private:
    Model& model_;
    const OpenStream& stream_;
    std::deque<Placed> placed_;
    std::deque<size_t> outputs_;  // among placed_
    std::vector<sy_tensor> input_tensors_, output_tensors_;
    std::unique_ptr<runtime_tests::Storage> workspace_;
  };

 private:
  struct Value {
    sy_dtype dtype;
    Shape shape;
    uint32_t flags;
    Bytes elements;  // of inputs
    View view;
  };
  struct Attribute {
    std::string name;
    Setting setting;
    const char* text;
  };
  struct Step {
    std::string op;
    std::vector<Id> inputs, outputs;
    std::deque<Attribute> attributes;
    std::string domain;
  };
  struct Output {
    Id value;
    View view;
  };
  // Of all nodes or of one, with all that it points to.
  class Described;
  // A kernel, destroyed with it.
  class Kernel;

  Id add_value(Value value);
  bool is_input(Id value) const;
  void run_step(const Step& step, const OpenStream& stream, std::map<Id, Bytes>& made) const;

  std::deque<Value> values_;
  std::deque<Step> steps_;
  std::vector<Output> outputs_;
  std::shared_ptr<Kernel> kernel_;
};

}  // namespace mps::program_tests

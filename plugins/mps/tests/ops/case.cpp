#include "case.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>

#include "ops/rows.hpp"
#include "runtime/node.hpp"
#include "switchyard/plugin/verdict.hpp"

namespace mps::op_tests {
namespace {

using runtime_tests::call;
using runtime_tests::make_args;
using runtime_tests::OpenDevice;
using runtime_tests::OpenStream;
using runtime_tests::Placed;

// A storage for each operand that has elements on the device.
using Tensors = std::vector<std::shared_ptr<Placed>>;

const OpenDevice& device() {
  static const OpenDevice opened;
  return opened;
}

View view_of(const Operand& operand, size_t layout) {
  if (operand.view) return *operand.view;
  const std::vector<View> all = runtime_tests::layouts(operand.shape);
  return all[layout % all.size()];
}

bool is_on_device(const Operand& operand) {
  return operand.kind == Operand::Kind::device || operand.kind == Operand::Kind::constant;
}

int64_t element_count(const Operand& operand) {
  return runtime_tests::contiguous(operand.shape).count();
}

sy_value described(const Operand& operand) {
  auto value = make_args<sy_value>();
  value.dtype = operand.dtype;
  value.rank = static_cast<uint32_t>(operand.shape.size());
  value.shape = operand.shape.data();
  if (operand.kind == Operand::Kind::host) value.flags = SY_VALUE_HOST_INPUT;
  if (operand.kind == Operand::Kind::constant) {
    value.flags = SY_VALUE_CONSTANT;
    value.constant_id = 1;
  }
  if (value.flags != 0) value.data = operand.elements.data();
  if (operand.kind == Operand::Kind::immediate) value.flags = SY_VALUE_IMMEDIATE;
  return value;
}

// The values of a node's side, and where they are among the program's.
struct Side {
  std::vector<uint32_t> node, program;
};

Side add_values(const std::deque<Operand>& operands, std::vector<sy_value>& values) {
  Side side;
  for (const Operand& operand : operands) {
    if (operand.kind == Operand::Kind::absent) {
      side.node.push_back(SY_ABSENT);
      continue;
    }
    side.node.push_back(static_cast<uint32_t>(values.size()));
    side.program.push_back(side.node.back());
    values.push_back(described(operand));
  }
  return side;
}

class Prepared {
 public:
  explicit Prepared(sy_program& program) {
    auto verdict = make_args<sy_verdict>();
    auto supports = make_args<sy_supports_args>();
    supports.device = device().handle();
    supports.program = &program;
    supports.verdicts = &verdict;
    call(device().table().supports, supports);
    if (verdict.kind == SY_REFUSED) {
      throw sy::Failure(SY_UNSUPPORTED, verdict.reason, verdict.message);
    }
    std::vector<uint8_t> specialised(program.input_count, SY_ON_ALL);
    std::vector<sy_packed_constant> packed(program.input_count, make_args<sy_packed_constant>());
    std::vector<sy_output_plan> plans(program.output_count, make_args<sy_output_plan>());
    std::vector<Shape> bounds(2 * plans.size(), Shape(SY_MAX_RANK));
    for (size_t i = 0; i < plans.size(); ++i) {
      plans[i].bound = bounds[2 * i].data();
      plans[i].strides = bounds[2 * i + 1].data();
    }
    auto args = make_args<sy_prepare_args>();
    args.device = device().handle();
    args.program = &program;
    args.specialised_on = specialised.data();
    args.outputs = plans.data();
    args.constants = packed.data();
    call(device().table().prepare, args);
    kernel_ = args.kernel;
    for (const sy_output_plan& plan : plans) may_alias_.push_back(plan.may_alias_inputs);
  }
  ~Prepared() {
    auto args = make_args<sy_kernel_args>();
    args.kernel = kernel_;
    EXPECT_EQ(device().table().destroy_kernel(&args, nullptr), SY_OK);
  }
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;
  sy_kernel kernel() const { return kernel_; }
  // Counted among the program's, none of which is left out.
  bool may_alias(size_t output, size_t input) const {
    return (may_alias_[output] >> input & 1) != 0;
  }

 private:
  sy_kernel kernel_ = nullptr;
  std::vector<uint64_t> may_alias_;
};

double number_at(const std::vector<std::byte>& bytes, sy_dtype dtype, size_t i) {
  if (dtype == SY_BFLOAT16) {
    bfloat value;
    std::memcpy(&value, &bytes[i * sizeof(value)], sizeof(value));
    return static_cast<double>(value);
  }
  if (dtype == SY_FLOAT16) {
    half value;
    std::memcpy(&value, &bytes[i * sizeof(value)], sizeof(value));
    return static_cast<double>(value);
  }
  float value;
  std::memcpy(&value, &bytes[i * sizeof(value)], sizeof(value));
  return value;
}

bool is_close(double actual, double expected, double tolerance) {
  if (std::isnan(expected)) return std::isnan(actual);
  if (std::isinf(expected)) return actual == expected;
  return std::fabs(actual - expected) <= tolerance * (1 + std::fabs(expected));
}

void compare(const std::vector<std::byte>& actual, const Operand& expected,
             const std::string& what) {
  ASSERT_EQ(actual.size(), expected.elements.size()) << what;
  if ((SY_DTYPE_BIT(expected.dtype) & sy::float_dtypes) == 0) {
    ASSERT_EQ(actual, expected.elements) << what;
    return;
  }
  const size_t count = actual.size() / sy::dtype_bytes(expected.dtype);
  for (size_t i = 0; i < count; ++i) {
    const double is = number_at(actual, expected.dtype, i);
    const double should = number_at(expected.elements, expected.dtype, i);
    ASSERT_TRUE(is_close(is, should, expected.tolerance))
        << what << ", element " << i << ": " << is << ", expected " << should;
  }
}

// Whether a claim of the op does; another one may be about the same types.
bool takes_immediates(const std::string& op) {
  const sy::ClaimTable& claims = all_claims({});
  for (uint32_t i = 0; i < claims.size(); ++i) {
    const sy_claim& claim = claims.data()[i];
    if (claim.op == op && (claim.flags & SY_CLAIM_IMMEDIATES) != 0) return true;
  }
  return false;
}

sy_tensor tensor_of(const Operand& operand, const Placed* placed) {
  if (placed != nullptr) return placed->tensor();
  auto tensor = make_args<sy_tensor>();  // on the host, or without elements
  tensor.dtype = operand.dtype;
  tensor.shape = operand.shape.data();
  tensor.rank = static_cast<uint32_t>(operand.shape.size());
  if (operand.kind == Operand::Kind::host) {
    tensor.storage = reinterpret_cast<uintptr_t>(operand.elements.data());
  } else if (operand.kind == Operand::Kind::immediate) {
    std::copy(operand.elements.begin(), operand.elements.end(),
              reinterpret_cast<std::byte*>(tensor.immediate));
  }
  return tensor;
}

}  // namespace

Case& Case::attribute(const std::string& name, int64_t number) {
  attributes_.push_back({name, SY_ATTRIBUTE_INT, {number}, {}, {}, {}});
  return *this;
}
Case& Case::attribute(const std::string& name, double number) {
  attributes_.push_back({name, SY_ATTRIBUTE_FLOAT, {}, {static_cast<float>(number)}, {}, {}});
  return *this;
}
Case& Case::attribute(const std::string& name, const char* text) {
  attributes_.push_back({name, SY_ATTRIBUTE_STRING, {}, {}, {text}, {}});
  return *this;
}
Case& Case::attribute(const std::string& name, std::vector<int64_t> numbers) {
  attributes_.push_back({name, SY_ATTRIBUTE_INTS, std::move(numbers), {}, {}, {}});
  return *this;
}
Case& Case::attribute(const std::string& name, std::vector<float> numbers) {
  attributes_.push_back({name, SY_ATTRIBUTE_FLOATS, {}, std::move(numbers), {}, {}});
  return *this;
}
Case& Case::attribute(const std::string& name, std::vector<std::string> texts) {
  attributes_.push_back({name, SY_ATTRIBUTE_STRINGS, {}, {}, std::move(texts), {}});
  return *this;
}
Case& Case::attribute_bytes(const std::string& name, sy_dtype dtype,
                            std::vector<std::byte> element) {
  attributes_.push_back({name,
                         SY_ATTRIBUTE_TENSOR,
                         {},
                         {},
                         {},
                         {Operand::Kind::device, dtype, {1}, std::move(element)}});
  return *this;
}

void Case::run(size_t layout, bool compares) {
  std::vector<sy_attribute> attributes;
  for (Attribute& attribute : attributes_) {
    auto made = make_args<sy_attribute>();
    made.kind = attribute.kind;
    made.name = attribute.name.c_str();
    made.count = 1;
    attribute.pointers.clear();
    for (const std::string& text : attribute.texts) attribute.pointers.push_back(text.c_str());
    attribute.value = described(attribute.tensor);
    attribute.value.data = attribute.tensor.elements.data();
    switch (attribute.kind) {
      case SY_ATTRIBUTE_FLOATS: made.count = attribute.reals.size(); [[fallthrough]];
      case SY_ATTRIBUTE_FLOAT: made.data = attribute.reals.data(); break;
      case SY_ATTRIBUTE_STRINGS: made.count = attribute.texts.size(); [[fallthrough]];
      case SY_ATTRIBUTE_STRING: made.data = attribute.pointers.data(); break;
      case SY_ATTRIBUTE_TENSOR: made.data = &attribute.value; break;
      default: made.data = attribute.integers.data(); made.count = attribute.integers.size();
    }
    attributes.push_back(made);
  }
  std::vector<sy_value> values;
  const Side in = add_values(inputs_, values);
  const Side out = add_values(outputs_, values);
  auto node = make_args<sy_node>();
  node.version = version_;
  node.domain = domain_.c_str();
  node.op = op_.c_str();
  node.attributes = attributes.data();
  node.attribute_count = static_cast<uint32_t>(attributes.size());
  node.inputs = in.node.data();
  node.input_count = static_cast<uint32_t>(in.node.size());
  node.outputs = out.node.data();
  node.output_count = static_cast<uint32_t>(out.node.size());
  auto program = make_args<sy_program>();
  program.values = values.data();
  program.value_count = static_cast<uint32_t>(values.size());
  program.nodes = &node;
  program.node_count = 1;
  program.inputs = in.program.data();
  program.input_count = static_cast<uint32_t>(in.program.size());
  program.outputs = out.program.data();
  program.output_count = static_cast<uint32_t>(out.program.size());
  const Prepared prepared(program);

  const OpenStream stream(device());
  constexpr std::byte soils[] = {std::byte{0xff}, std::byte{0}, std::byte{0x7f}, std::byte{1}};
  runtime_tests::soil(stream, soils[layout % std::size(soils)]);
  Tensors placed;
  std::vector<sy_tensor> tensors[2];
  std::string where = op_ + " with";
  size_t number = layout;
  for (size_t side = 0; side < 2; ++side) {
    for (const Operand& operand : side == 0 ? inputs_ : outputs_) {
      if (operand.kind == Operand::Kind::absent) continue;
      placed.push_back(nullptr);
      if (operand.renews) {
        ASSERT_TRUE(prepared.may_alias(tensors[1].size(), *operand.renews)) << where;
        placed.back() = placed[*operand.renews];
      } else if (is_on_device(operand) && element_count(operand) > 0) {
        const View view = view_of(operand, number++);
        where += (side == 0 ? " input " : " output ") + view.name;
        placed.back() = std::make_shared<Placed>(stream, operand.dtype, view);
        if (side == 0) placed.back()->write(operand.elements);
      }
      tensors[side].push_back(tensor_of(operand, placed.back().get()));
    }
  }
  std::vector<int64_t*> extents(tensors[1].size(), nullptr);
  auto args = make_args<sy_run_args>();
  args.stream = stream.handle();
  args.kernel = prepared.kernel();
  args.inputs = tensors[0].data();
  args.input_count = static_cast<uint32_t>(tensors[0].size());
  args.outputs = tensors[1].data();
  args.output_count = static_cast<uint32_t>(tensors[1].size());
  args.extents = extents.data();
  call(device().table().run, args);
  stream.wait(args.sequence);
  size_t position = tensors[0].size();
  for (const Operand& operand : outputs_) {
    if (operand.kind == Operand::Kind::absent) continue;
    const Placed* result = placed[position++].get();
    if (result != nullptr && compares) compare(result->read(), operand, where);
  }
}

void Case::check_in(size_t layout) {
  try {
    run(layout, true);
  } catch (const sy::Failure& failure) {
    FAIL() << op_ << ": " << failure.what();
  }
}

void Case::check() {
  for (size_t layout = 0; layout < runtime_tests::layouts({1}).size(); ++layout) {
    check_in(layout);
    if (testing::Test::HasFatalFailure()) return;
  }
  check_with_immediates();
}

void Case::check_with_immediates() {
  if (!takes_immediates(op_)) return;
  std::vector<Operand*> scalars;
  for (Operand& input : inputs_) {
    const bool is_one = input.kind == Operand::Kind::device && input.shape.empty() && !input.view;
    if (is_one) scalars.push_back(&input);
  }
  for (const Operand& output : outputs_) {
    if (output.renews) std::erase(scalars, &inputs_[*output.renews]);
  }
  if (scalars.empty()) return;
  for (Operand* scalar : scalars) scalar->kind = Operand::Kind::immediate;
  try {
    run(0, true);
  } catch (const sy::Failure& failure) {
    // A power of two types has a claim of its own.
    EXPECT_TRUE(op_ == "Pow" && failure.status() == SY_UNSUPPORTED) << op_ << failure.what();
  }
  for (Operand* scalar : scalars) scalar->kind = Operand::Kind::device;
}

void Case::check_once() { check_in(0); }

sy::Failure Case::failure() {
  try {
    run(0, false);
  } catch (const sy::Failure& failure) {
    return failure;
  }
  ADD_FAILURE() << op_ << " has not failed";
  return sy::Failure(SY_OK, SY_REASON_NONE, "");
}

}  // namespace mps::op_tests

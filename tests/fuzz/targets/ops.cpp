// Calls an op with attributes, types, shapes and inputs that the bytes choose, once with inputs
// that are views (transposed, cut out, with steps, repeated, overlapping) and once with contiguous
// copies of them. Both must come to the same, but for the order in which floats are summed.
#include <fmt/format.h>
#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>
#include <array>
#include <optional>
#include <switchyard/defaults.hpp>
#include <switchyard/functions.hpp>

#include "elements.hpp"
#include "ops/allowed_values.hpp"
#include "ops/row.hpp"
#include "ops/signature.hpp"
#include "outcome.hpp"
#include "runtimes.hpp"

namespace switchyard::fuzz {
namespace {

using Bytes = FuzzedDataProvider;
using Argument = std::pair<std::string, AttributeArgument>;

const std::vector<const Op*>& callable_ops() {
  static const auto& ops = *new std::vector<const Op*>([] {
    std::vector<const Op*> found;
    for (const Op& op : all_ops()) {
      const RunsOn runs_on = op.row->runs_on;
      if (runs_on != RunsOn::control && runs_on != RunsOn::body) found.push_back(&op);
    }
    return found;
  }());
  return ops;
}

std::int64_t extent(Bytes& bytes) {
  constexpr std::array<std::int64_t, 16> extents = {1, 2, 3, 4, 5, 6, 1,  2,
                                                    3, 4, 0, 7, 8, 9, 17, 33};
  return bytes.PickValueInArray(extents);
}

std::int64_t count_of(const Dims& shape) {
  std::int64_t count = 1;
  for (const std::int64_t e : shape) count *= e;
  return count;
}

Dims fresh_shape(Bytes& bytes) {
  constexpr std::int64_t kMostElements = 3000;
  Dims shape = Dims::filled(bytes.ConsumeIntegralInRange<std::size_t>(0, 5), 1);
  for (std::int64_t& e : shape) {
    e = extent(bytes);
    if (count_of(shape) > kMostElements) e = 1;
  }
  return shape;
}

// Most ops want shapes that have to do with each other.
Dims related_shape(const Dims& base, Bytes& bytes) {
  Dims shape = base;
  switch (bytes.ConsumeIntegralInRange(0, 7)) {
    case 0: return fresh_shape(bytes);
    case 1: return Dims{};
    case 2:
      return Dims{
          base.empty() ? 1 : base[bytes.ConsumeIntegralInRange<std::size_t>(0, base.size() - 1)]};
    case 3:
      for (std::int64_t& e : shape) e = bytes.ConsumeBool() ? 1 : e;
      return shape;
    case 4:
      if (base.size() > 1) std::swap(shape[base.size() - 1], shape[base.size() - 2]);
      return shape;
    case 5: return Dims{extent(bytes)};
    default: return base;
  }
}

template <typename Draw>
auto list_of(Bytes& bytes, Draw draw) {
  std::vector<decltype(draw())> list(bytes.ConsumeIntegralInRange<std::size_t>(0, 8));
  for (auto& value : list) value = draw();
  return list;
}

AttributeArgument attribute(std::string_view kind, Bytes& bytes, Dice& dice) {
  const auto integer = [&] {
    return bytes.ConsumeBool() ? bytes.ConsumeIntegralInRange<std::int64_t>(-2, 5)
                               : telling_integer(dice);
  };
  const auto real = [&] { return telling_float(dice); };
  const auto text = [&] { return telling_text(dice); };
  if (kind == "float") return real();
  if (kind == "text") return text();
  if (kind == "ints") return list_of(bytes, integer);
  if (kind == "floats") return list_of(bytes, real);
  if (kind == "texts") return list_of(bytes, text);
  if (kind == "tensor") return random_tensor(DType::float32, fresh_shape(bytes), dice);
  return integer();
}

std::vector<Argument> attributes_of(const Op& op, Bytes& bytes, Dice& dice) {
  std::vector<Argument> arguments;
  for (const AttributeSpec& spec : op.canonical.attributes) {
    const bool is_given = spec.required || bytes.ConsumeIntegralInRange(0, 2) == 0;
    if (is_given) arguments.emplace_back(spec.name, attribute(plain_kind(spec.kind), bytes, dice));
  }
  return arguments;
}

DType one_of(std::uint64_t allowed, Bytes& bytes) {
  std::vector<DType> types;
  for (int i = 1; i < 64; ++i) {
    if (allowed >> i & 1 && bit_width(static_cast<DType>(i)) > 0)
      types.push_back(static_cast<DType>(i));
  }
  if (types.empty()) return DType::float32;
  return types[bytes.ConsumeIntegralInRange<std::size_t>(0, types.size() - 1)];
}

// A view of the values of `x`, or of some of them, that is laid out in another way.
Tensor laid_out(const Tensor& x, Bytes& bytes) {
  const std::int64_t rank = x.dim();
  const auto way = bytes.ConsumeIntegralInRange(0, 5);
  if (rank == 0 || way == 0) return x;
  const auto dim = bytes.ConsumeIntegralInRange<std::int64_t>(0, rank - 1);
  const std::int64_t size = x.size(dim);
  switch (way) {
    case 1: return x.transpose(dim, 0).contiguous().transpose(dim, 0);
    case 2: return narrow(cat({x, x}, dim), dim, size, size);
    case 3: return slice(flatten(stack({x, x}, dim + 1), dim, dim + 1), dim, 0, 2 * size, 2);
    case 4: return size == 0 ? x : x.narrow(dim, size - 1, 1).expand(x.shape());
    default: return as_strided(x, {extent(bytes), extent(bytes)}, {1, 1});
  }
}

// Views keep to their values, whatever way they were made.
struct Inputs {
  std::vector<Tensor> views;
  std::vector<Tensor> copies;
};

void add(Inputs& inputs, const Tensor& values, Bytes& bytes) {
  Tensor view = values;
  succeeds([&] { view = laid_out(values, bytes); });
  Tensor copy = view;
  succeeds([&] { copy = view.clone(); });
  inputs.views.push_back(view);
  inputs.copies.push_back(copy);
}

Inputs inputs_of(const Op& op, Bytes& bytes, Dice& dice, const Device& device) {
  std::array<DType, 64> letters{};
  for (std::size_t i = 0; i < op.canonical.types.size(); ++i) {
    letters[i] = one_of(op.canonical.types[i].second, bytes);
  }
  const Dims base = fresh_shape(bytes);
  Inputs inputs;
  for (const Formal& formal : op.canonical.inputs) {
    std::size_t copies = formal.variadic ? bytes.ConsumeIntegralInRange<std::size_t>(1, 3) : 1;
    for (; copies > 0; --copies) {
      if (formal.optional && bytes.ConsumeIntegralInRange(0, 2) == 0) {
        inputs.views.emplace_back();
        inputs.copies.emplace_back();
        continue;
      }
      const DType dtype = formal.letter >= 0 ? letters[static_cast<std::size_t>(formal.letter)]
                                             : one_of(formal.allowed, bytes);
      const Dims shape = formal.host_input ? Dims{bytes.ConsumeIntegralInRange<std::int64_t>(0, 5)}
                                           : related_shape(base, bytes);
      const Tensor values = random_tensor(dtype, shape, dice);
      add(inputs, bytes.ConsumeBool() ? values.to(device) : values, bytes);
    }
  }
  return inputs;
}

void call(Bytes& bytes) {
  static const std::string& order = *new std::string(chosen_order());
  static const auto& runtime = *new Runtime(start_runtime(order));
  static const auto& device = *new Device([] {
    set_default_runtime(runtime);
    return runtime.default_device();
  }());
  const std::vector<const Op*>& ops = callable_ops();
  const Op& op = *ops[bytes.ConsumeIntegralInRange<std::size_t>(0, ops.size() - 1)];
  Dice dice(bytes.ConsumeIntegral<std::uint8_t>());
  std::optional<Operation> operation;
  const bool exists = succeeds([&] {
    operation = runtime.operation(op.name(), attributes_of(op, bytes, dice), op.row->domain);
  });
  if (!exists) return;
  const Inputs inputs = inputs_of(op, bytes, dice, device);
  const bool is_variable = has_variadic_outputs(op);
  const std::size_t output_count =
      is_variable ? bytes.ConsumeIntegralInRange<std::size_t>(1, 4) : 1;
  std::vector<Tensor> of_views, of_copies;
  const auto ending_with = [&](const std::vector<Tensor>& given, std::vector<Tensor>& made) {
    return ending_on(device, [&] {
      made = is_variable ? (*operation)(given, output_count) : (*operation)(given);
    });
  };
  const Ending with_views = ending_with(inputs.views, of_views);
  const Ending with_copies = ending_with(inputs.copies, of_copies);
  require_sound_devices(runtime, order);
  if (with_views == Ending::out_of_means || with_copies == Ending::out_of_means) return;
  if (with_views != with_copies) {
    report("views and copies of them end differently", op.row->op);
  }
  if (with_views != Ending::result || op.row->random) return;
  for (std::size_t i = 0; i < of_views.size(); ++i) {
    if (are_identical(of_views[i], of_copies[i]) ||
        differ_by_rounding(of_views[i], of_copies[i], inputs.copies)) {
      continue;
    }
    report("views and copies of them differ",
           fmt::format("{}, output {}: {}", op.row->op, i, difference(of_views[i], of_copies[i])));
  }
}

}  // namespace
}  // namespace switchyard::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FuzzedDataProvider bytes(data, size);
  switchyard::fuzz::succeeds([&] { switchyard::fuzz::call(bytes); });
  return 0;
}

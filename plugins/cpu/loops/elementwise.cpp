#include "loops/elementwise.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

#include "loops/convert.hpp"
#include "loops/matched_layouts.hpp"
#include "machine/parallel.hpp"
#include "switchyard/plugin/dtype.hpp"
#include "switchyard/plugin/guard.hpp"

namespace cpu {
namespace {

struct Axis {
  int64_t extent;
  std::array<int64_t, max_operands> steps;  // bytes; the output's is the last used
};

// The axes that are left once those of extent 1 are dropped and those that run on into each other
// are merged, outermost first.
struct Plan {
  std::array<Axis, SY_MAX_RANK> axes;
  size_t rank = 0;
  int operands = 0;

  void add(const Axis& axis) {
    size_t position = rank++;
    for (; position > 0 && goes_before(axis, axes[position - 1]); --position)
      axes[position] = axes[position - 1];
    axes[position] = axis;
  }

  // Outer axes take the longer steps; where the output's are equal the first input decides.
  bool goes_before(const Axis& left, const Axis& right) const {
    for (int k = operands; k-- > 0;) {
      const int64_t a = std::abs(left.steps[k]);
      const int64_t b = std::abs(right.steps[k]);
      if (a != b) return a > b;
    }
    return false;
  }

  bool runs_on(const Axis& outer, const Axis& inner) const {
    for (int k = 0; k < operands; ++k) {
      if (outer.steps[k] != inner.steps[k] * inner.extent) return false;
    }
    return true;
  }

  void merge() {
    size_t kept = 0;
    for (size_t i = 1; i < rank; ++i) {
      if (runs_on(axes[kept], axes[i])) {
        const int64_t extent = axes[kept].extent * axes[i].extent;
        axes[kept] = axes[i];
        axes[kept].extent = extent;
      } else {
        axes[++kept] = axes[i];
      }
    }
    if (rank != 0) rank = kept + 1;
  }

  // A short innermost axis would cost a call every few elements.
  void lengthen_rows() {
    constexpr int64_t short_row = 8;
    if (rank < 2 || axes[rank - 1].extent >= short_row) return;
    size_t longest = rank - 1;
    for (size_t i = 0; i + 1 < rank; ++i) {
      if (axes[i].extent > 2 * axes[longest].extent) longest = i;
    }
    std::rotate(axes.begin() + static_cast<std::ptrdiff_t>(longest),
                axes.begin() + static_cast<std::ptrdiff_t>(longest) + 1,
                axes.begin() + static_cast<std::ptrdiff_t>(rank));
  }
};

using Pointers = std::array<char*, max_operands>;

// ---- numbers of channels that lie side by side

// Rows of as many elements as there are channels would be short. What repeats from place to place
// is written out here for some positions, which then make one row.
class Tiles {
 public:
  void lengthen_rows(Plan& plan, Pointers& data, const std::array<int64_t, max_operands>& bytes) {
    if (plan.rank < 2) return;
    Axis& inner = plan.axes[plan.rank - 1];
    Axis& outer = plan.axes[plan.rank - 2];
    int64_t widest = 0;  // bytes of an element
    for (int k = 0; k < plan.operands; ++k) {
      if (outer.steps[k] == inner.steps[k] * inner.extent) continue;
      if (k + 1 == plan.operands || !repeats(plan, k, bytes[k])) return;
      widest = std::max(widest, bytes[k]);
    }
    if (widest == 0) return;
    int64_t positions = std::min(outer.extent, tile_bytes / widest / inner.extent);
    while (positions > 1 && outer.extent % positions != 0) --positions;
    if (positions < 2) return;
    for (int k = 0; k < plan.operands; ++k) {
      if (outer.steps[k] == 0 && inner.steps[k] != 0) {
        data[k] = write(k, data[k], inner.extent * bytes[k], positions);
      } else {
        outer.steps[k] = inner.steps[k] * inner.extent * positions;
      }
    }
    inner.extent *= positions;
    outer.extent /= positions;
  }

 private:
  static constexpr int64_t tile_bytes = 4096;

  // True if the operand is one dense row, the same at every index of the other axes.
  static bool repeats(const Plan& plan, int operand, int64_t bytes) {
    for (size_t i = 0; i + 1 < plan.rank; ++i) {
      if (plan.axes[i].steps[operand] != 0) return false;
    }
    return plan.axes[plan.rank - 1].steps[operand] == bytes;
  }

  char* write(int operand, const char* row, int64_t bytes, int64_t times) {
    char* const made = tiles_[operand];
    for (int64_t i = 0; i < times; ++i) {
      std::memcpy(made + i * bytes, row, static_cast<size_t>(bytes));
    }
    return made;
  }

  alignas(64) char tiles_[max_operands - 1][tile_bytes];
};

// Elements [begin, end) of the plan's own order.
void walk(const Plan& plan, const Pointers& start, const Loop& loop, int64_t begin, int64_t end) {
  std::array<int64_t, SY_MAX_RANK> index;
  Pointers data = start;
  int64_t rest = begin;
  for (size_t i = plan.rank; i-- > 0;) {
    index[i] = rest % plan.axes[i].extent;
    rest /= plan.axes[i].extent;
    for (int k = 0; k < plan.operands; ++k) data[k] += index[i] * plan.axes[i].steps[k];
  }
  const Axis& inner = plan.axes[plan.rank - 1];
  while (begin < end) {
    const int64_t count = std::min(end - begin, inner.extent - index[plan.rank - 1]);
    loop.row(data.data(), inner.steps.data(), count, loop.parameters.get());
    begin += count;
    if (begin == end) return;
    for (int k = 0; k < plan.operands; ++k) data[k] -= index[plan.rank - 1] * inner.steps[k];
    index[plan.rank - 1] = 0;
    for (size_t i = plan.rank - 1; i-- > 0;) {
      const Axis& axis = plan.axes[i];
      for (int k = 0; k < plan.operands; ++k) data[k] += axis.steps[k];
      if (++index[i] < axis.extent) break;
      for (int k = 0; k < plan.operands; ++k) data[k] -= axis.extent * axis.steps[k];
      index[i] = 0;
    }
  }
}

int64_t step_bytes(const ConstTensor& tensor) {
  return static_cast<int64_t>(sy::dtype_bytes(tensor.dtype));
}

Plan make_plan(const ConstTensor* const* operands, int count) {
  const ConstTensor& output = *operands[count - 1];
  std::array<sy::Dimensions, max_operands> strides;
  for (int k = 0; k + 1 < count; ++k) {
    strides[k] =
        sy::broadcast_strides(operands[k]->shape, operands[k]->strides.data(), output.shape);
  }
  strides[count - 1] = sy::Dimensions(output.strides);
  Plan plan;
  plan.operands = count;
  for (size_t i = 0; i < output.rank(); ++i) {
    if (output.shape[i] == 1) continue;
    Axis axis{output.shape[i], {}};
    for (int k = 0; k < count; ++k) axis.steps[k] = strides[k][i] * step_bytes(*operands[k]);
    plan.add(axis);
  }
  if (plan.rank == 0) plan.axes[plan.rank++] = {1, {}};
  plan.merge();
  return plan;
}

bool same_shape(sy::Extents left, sy::Extents right) {
  if (left.size() != right.size()) return false;
  for (size_t i = 0; i < left.size(); ++i) {
    if (left[i] != right[i]) return false;
  }
  return true;
}

// True if one row covers all: contiguous operands of the output's shape, and single elements.
bool is_flat(const ConstTensor* const* operands, int count, int64_t* steps) {
  const ConstTensor& output = *operands[count - 1];
  for (int k = 0; k < count; ++k) {
    const ConstTensor& tensor = *operands[k];
    steps[k] = step_bytes(tensor);
    if (same_shape(tensor.shape, output.shape)) {
      if (!sy::is_contiguous(tensor.shape, tensor.strides.data())) return false;
    } else if (tensor.rank() <= output.rank() && tensor.size() == 1) {
      steps[k] = 0;
    } else {
      return false;
    }
  }
  return true;
}

void run_flat(const Pointers& start, const int64_t* steps, int operands, int64_t size,
              const Loop& loop) {
  if (size <= loop.grain) return loop.row(start.data(), steps, size, loop.parameters.get());
  parallel_for(size, loop.grain, [&](int64_t begin, int64_t end) {
    Pointers data = start;
    for (int k = 0; k < operands; ++k) data[k] += begin * steps[k];
    loop.row(data.data(), steps, end - begin, loop.parameters.get());
  });
}

// ---- any strides

void walk_all(const ConstTensor* const* operands, int count, const Loop& loop) {
  const int64_t size = operands[count - 1]->size();
  if (size == 0) return;
  Pointers start;
  std::array<int64_t, max_operands> bytes;
  for (int k = 0; k < count; ++k) {
    start[k] = row_pointer(operands[k]->data);
    bytes[k] = step_bytes(*operands[k]);
  }
  Plan plan = make_plan(operands, count);
  Tiles tiles;
  tiles.lengthen_rows(plan, start, bytes);
  plan.lengthen_rows();
  parallel_for(size, loop.grain,
               [&](int64_t begin, int64_t end) { walk(plan, start, loop, begin, end); });
}

}  // namespace

void run_elementwise(std::span<const ConstTensor* const> inputs, const Tensor& output,
                     const Loop& loop) {
  const int64_t size = output.size();
  const ConstTensor written = output;
  const ConstTensor* operands[max_operands];
  std::copy(inputs.begin(), inputs.end(), operands);
  operands[inputs.size()] = &written;
  const int count = static_cast<int>(inputs.size()) + 1;
  Pointers start;
  int64_t steps[max_operands];
  for (int k = 0; k < count; ++k) start[k] = row_pointer(operands[k]->data);
  if (is_flat(operands, count, steps)) {
    if (size > 0) run_flat(start, steps, count, size, loop);
    return;
  }
  const MatchedLayouts matched(operands, count);
  walk_all(matched.operands(), count, loop);
}

void run_elementwise(std::initializer_list<ConstTensor> inputs, const Tensor& output,
                     const Loop& loop) {
  const ConstTensor* operands[max_operands];
  std::transform(inputs.begin(), inputs.end(), operands, [](const auto& input) { return &input; });
  run_elementwise(std::span(operands, inputs.size()), output, loop);
}

// ---- converted

namespace {

constexpr int64_t block = 512;
constexpr int64_t widest = 8;

struct Converted {
  Loop inner;
  int operands;
  std::array<ConvertRow, max_operands> convert;  // null where the types agree
  std::array<int64_t, max_operands> inner_bytes;
};

void converted_block(const Converted& self, char* const* data, const int64_t* steps,
                     int64_t count) {
  alignas(64) char buffers[max_operands][block * widest];
  char* inner_data[max_operands];
  int64_t inner_steps[max_operands];
  const int output = self.operands - 1;
  for (int k = 0; k < self.operands; ++k) {
    inner_data[k] = data[k];
    inner_steps[k] = steps[k];
    if (self.convert[k] == nullptr) continue;
    const bool repeated = k != output && steps[k] == 0;
    inner_data[k] = buffers[k];
    inner_steps[k] = repeated ? 0 : self.inner_bytes[k];
    if (k == output) continue;
    self.convert[k](data[k], steps[k], buffers[k], self.inner_bytes[k], repeated ? 1 : count);
  }
  self.inner.row(inner_data, inner_steps, count, self.inner.parameters.get());
  if (self.convert[output] == nullptr) return;
  self.convert[output](buffers[output], self.inner_bytes[output], data[output], steps[output],
                       count);
}

void converted_row(char* const* data, const int64_t* steps, int64_t count, const void* parameters) {
  const auto& self = *static_cast<const Converted*>(parameters);
  for (int64_t done = 0; done < count; done += block) {
    char* at[max_operands];
    for (int k = 0; k < self.operands; ++k) at[k] = data[k] + done * steps[k];
    converted_block(self, at, steps, std::min(block, count - done));
  }
}

}  // namespace

Loop converted(const Loop& inner, const std::vector<sy_dtype>& inner_dtypes,
               const std::vector<sy_dtype>& dtypes, bool saturate) {
  if (inner_dtypes == dtypes) return inner;
  auto self = std::make_shared<Converted>();
  self->inner = inner;
  self->operands = static_cast<int>(dtypes.size());
  for (size_t k = 0; k < dtypes.size(); ++k) {
    self->inner_bytes[k] = static_cast<int64_t>(sy::dtype_bytes(inner_dtypes[k]));
    self->convert[k] = nullptr;
    if (inner_dtypes[k] == dtypes[k]) continue;
    const bool is_output = k + 1 == dtypes.size();
    self->convert[k] = is_output ? convert_row(inner_dtypes[k], dtypes[k], saturate)
                                 : convert_row(dtypes[k], inner_dtypes[k]);
  }
  return {converted_row, std::move(self), inner.grain};
}

}  // namespace cpu

// ArgMax, ArgMin, CumSum and CumProd: walks along one axis.
#include <array>

#include "kernels/elementwise/unary.hpp"
#include "kernels/kernels.hpp"
#include "loops/line_loop.hpp"
#include "loops/lines.hpp"
#include "simd/reduce_functions.hpp"
#include "types/dispatch.hpp"

namespace cpu {
namespace {

// ---- ArgMax and ArgMin; the first NaN is both the largest and the smallest, as in numpy

struct Seeking {
  bool most, last;

  template <typename W>
  bool replaces(W candidate, W best) const {
    if (best != best) return last && candidate != candidate;
    if (candidate != candidate) return true;
    if (candidate == best) return last;
    return most ? candidate > best : candidate < best;
  }

  // Floats are joined as vectors first, and the first or last equal to that is looked for.
  int64_t find(const float* x, int64_t count) const {
    const auto join = reduce_functions<float>(most ? ReduceKind::max : ReduceKind::min).row;
    const auto best = static_cast<float>(join(x, count));
    const auto is_best = [best](float number) {
      return number == best || (number != number && best != best);
    };
    int64_t i = last ? count - 1 : 0;
    while (!is_best(x[i])) i += last ? -1 : 1;
    return i;
  }

  template <typename W>
  int64_t find(const W* x, int64_t count) const {
    int64_t best = 0;
    for (int64_t i = 1; i < count; ++i) {
      if (replaces(x[i], x[best])) best = i;
    }
    return best;
  }
};

template <typename W>
void seek(const Seeking& seeking, const LineWalk& walk, const ConstTensor& input,
          const Tensor& output) {
  const auto body = [&](const W* x, W*, const LineOffsets& offsets, int64_t) {
    *reinterpret_cast<int64_t*>(output.as<char>() + offsets[1]) = seeking.find(x, walk.length());
  };
  for_each_line<W>(walk, {&input}, cheap_grain, body);
}

Prepared make_arg(const sy::Node& node) {
  const Seeking seeking{node.op() == "ArgMax", node.flag("select_last_index")};
  const int64_t axis = node.integer("axis", 0);
  Prepared made;
  made.kernel = function_kernel([seeking, axis](Call& call) {
    const ConstTensor& input = call.input(0);
    const Tensor& output = call.output(0);
    const uint64_t axes = axis_mask(axis, input.rank());
    const std::array<LineOperand, 2> operands = {LineOperand::whole(input),
                                                 LineOperand::reduced(output, axes, input.rank())};
    const LineWalk walk(input.shape, axes, operands);
    if (walk.length() == 0 && walk.count() > 0) {
      throw sy::invalid("no largest or smallest among no elements: axis ", axis, " of shape ",
                        input.shape, " is empty");
    }
    visit_dtype<float, double, int64_t, uint64_t>(working_dtype(input.dtype), [&](auto zero) {
      seek<decltype(zero)>(seeking, walk, input, output);
    });
  });
  return made;
}

// ---- CumSum and CumProd; floats are joined in double and rounded at each step

struct Running {
  bool exclusive, reverse, is_product;

  template <typename W>
  void join(const W* x, W* y, int64_t count) const {
    using A = std::conditional_t<std::is_floating_point_v<W>, double, uint64_t>;
    A total = is_product ? 1 : 0;
    for (int64_t k = 0; k < count; ++k) {
      const int64_t i = reverse ? count - 1 - k : k;
      const A before = total;
      total = is_product ? total * static_cast<A>(x[i]) : total + static_cast<A>(x[i]);
      y[i] = static_cast<W>(exclusive ? before : total);
    }
  }
};

template <typename W>
void run_joined(const Running& running, const LineWalk& walk, const ConstTensor& input,
                const Tensor& output) {
  const auto body = [&](const W* x, W* y, const LineOffsets&, int64_t) {
    running.join(x, y, walk.length());
  };
  for_each_line<W>(walk, {&input, &output}, cheap_grain, body);
}

Prepared make_running(const sy::Node& node) {
  const Running running{node.flag("exclusive"), node.flag("reverse"), node.op() == "CumProd"};
  Prepared made;
  made.outputs = {{.may_alias_inputs = 1}};
  made.kernel = function_kernel([running](Call& call) {
    const ConstTensor& input = call.input(0);
    const Tensor& output = call.output(0);
    const std::vector<int64_t> axis = integers_of(call.input(1));
    const std::array<LineOperand, 2> operands = {LineOperand::whole(input),
                                                 LineOperand::whole(output)};
    const LineWalk walk(input.shape, axes_mask(axis, input.rank()), operands);
    visit_dtype<float, double, int64_t, uint64_t>(working_dtype(input.dtype), [&](auto zero) {
      run_joined<decltype(zero)>(running, walk, input, output);
    });
  });
  return made;
}

constexpr uint64_t indices = SY_DTYPE_BIT(SY_INT64);

constexpr KernelRow scan_rows[] = {
    {"ArgMax", numeric_types, indices, make_arg, nullptr, any_strides},
    {"ArgMin", numeric_types, indices, make_arg, nullptr, any_strides},
    {"CumSum", numeric_types, numeric_types, make_running, nullptr, any_strides},
    {"CumProd", numeric_types, numeric_types, make_running, nullptr, any_strides},
};

}  // namespace

KernelTable scan_kernels() { return scan_rows; }

}  // namespace cpu

// Weighted sums along the axes of a Resize, from memory to memory: T is float or double.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "gemm/long_sums.hpp"
#include "machine/parallel.hpp"
#include "machine/scratch.hpp"
#include "run/kernel.hpp"
#include "switchyard/plugin/resize.hpp"

namespace cpu {

// An axis that is not left as it is, between `outer` positions and `inner` elements that lie
// together.
template <typename T>
struct Pass {
  Pass(const sy::ResizeTable& of, int64_t outer_positions, int64_t inner_elements)
      : axis(of),
        outer(outer_positions),
        inner(inner_elements),
        weights(of.weight.begin(), of.weight.end()) {}

  int64_t in_size() const { return axis.input * inner; }
  int64_t out_size() const { return axis.output * inner; }

  // Output `j` from the axis at `in`. Antialiasing makes it of as many elements as it stands for.
  void blend(const T* in, int64_t j, T* to) const {
    std::fill_n(to, inner, T{0});
    const int64_t begin = j * axis.taps, end = begin + axis.taps;
    if (axis.taps <= chained_sums) return add_taps(in, begin, end, to);
    const LongSums<T> sums({to, inner, 1}, 1, inner, true);
    for (int64_t tap = begin; tap < end; tap += chained_sums) {
      add_taps(in, tap, std::min(tap + chained_sums, end), to);
      sums.join();
    }
    sums.finish();
  }

  // All outputs of the axis at `in`.
  void run(const T* in, T* to) const {
    if (inner != 1) {
      for (int64_t j = 0; j < axis.output; ++j) blend(in, j, to + j * inner);
    } else if (axis.taps == 2) {
      run_elements<2>(in, to);
    } else if (axis.taps == 4) {
      run_elements<4>(in, to);
    } else {
      for (int64_t j = 0; j < axis.output; ++j) blend(in, j, to + j);
    }
  }

  const sy::ResizeTable& axis;
  int64_t outer, inner;
  std::vector<T> weights;

 private:
  // An element without a share may be infinite.
  void add_taps(const T* in, int64_t begin, int64_t end, T* to) const {
    for (int64_t tap = begin; tap < end; ++tap) {
      const T weight = weights[static_cast<size_t>(tap)];
      if (weight == 0) continue;
      const T* from = in + axis.index[static_cast<size_t>(tap)] * inner;
      for (int64_t i = 0; i < inner; ++i) to[i] += weight * from[i];
    }
  }

  template <int taps>
  void run_elements(const T* in, T* to) const {
    const int64_t* index = axis.index.data();
    const T* weight = weights.data();
    for (int64_t j = 0; j < axis.output; ++j, index += taps, weight += taps) {
      T sum = 0;
      for (int t = 0; t < taps; ++t) {
        const T element = in[index[t]];
        sum += weight[t] * (weight[t] == 0 ? T{0} : element);
      }
      to[j] = sum;
    }
  }
};

// How many lines of `size` elements are worth a thread.
template <typename T>
int64_t lines_worth(const Pass<T>& pass, int64_t size) {
  constexpr int64_t elements = 16384;
  return 1 + elements / (1 + size * pass.axis.taps);
}

template <typename T>
void run_pass(const Pass<T>& pass, const T* in, T* out) {
  if (pass.inner == 1) {
    parallel_for(pass.outer, lines_worth(pass, pass.out_size()), [&](int64_t begin, int64_t end) {
      for (int64_t o = begin; o < end; ++o) {
        pass.run(in + o * pass.in_size(), out + o * pass.out_size());
      }
    });
    return;
  }
  parallel_for(pass.outer * pass.axis.output, lines_worth(pass, pass.inner),
               [&](int64_t begin, int64_t end) {
                 for (int64_t line = begin; line < end; ++line) {
                   const int64_t o = line / pass.axis.output, j = line % pass.axis.output;
                   pass.blend(in + o * pass.in_size(), j, out + line * pass.inner);
                 }
               });
}

// Two neighbouring axes at once: each line of the first is the input of the second.
template <typename T>
void run_passes(const Pass<T>& first, const Pass<T>& second, const T* in, T* out) {
  const int64_t lines = first.outer * first.axis.output;
  parallel_for(lines, lines_worth(second, first.inner + second.out_size()),
               [&](int64_t begin, int64_t end) {
                 const Scratch<T> blended(first.inner);
                 for (int64_t line = begin; line < end; ++line) {
                   const int64_t o = line / first.axis.output, j = line % first.axis.output;
                   first.blend(in + o * first.in_size(), j, blended.data());
                   second.run(blended.data(), out + line * second.out_size());
                 }
               });
}

template <typename T>
std::vector<Pass<T>> passes_over(sy::Extents in, const std::vector<sy::ResizeTable>& axes) {
  std::vector<int64_t> shape(in.begin(), in.end());
  std::vector<Pass<T>> made;
  for (size_t d = 0; d < axes.size(); ++d) {
    if (axes[d].is_identity()) continue;
    made.emplace_back(axes[d], sy::element_count(sy::Extents(shape).first(d)),
                      sy::element_count(sy::Extents(shape).subspan(d + 1)));
    shape[d] = axes[d].output;
  }
  return made;
}

// From `in` to `out`, with memory in between for more than two axes.
template <typename T>
void weigh(const T* in, T* out, int64_t size, sy::Extents shape,
           const std::vector<sy::ResizeTable>& axes) {
  const std::vector<Pass<T>> passes = passes_over<T>(shape, axes);
  if (passes.empty()) std::copy_n(in, size, out);
  const T* from = in;
  std::unique_ptr<T[]> held;
  for (size_t i = 0; i < passes.size(); ++i) {
    const Pass<T>& pass = passes[i];
    const bool pairs = i + 1 < passes.size() && pass.inner == passes[i + 1].in_size();
    const Pass<T>& last = pairs ? passes[++i] : pass;
    const bool is_last = i + 1 == passes.size();
    std::unique_ptr<T[]> next(is_last ? nullptr : new T[last.outer * last.out_size()]);
    T* to = is_last ? out : next.get();
    pairs ? run_passes(pass, last, from, to) : run_pass(pass, from, to);
    held = std::move(next);
    from = held.get();
  }
}

}  // namespace cpu

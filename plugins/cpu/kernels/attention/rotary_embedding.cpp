// RotaryEmbedding: pairs of elements turned by the angle of their position.
#include <algorithm>
#include <array>
#include <vector>

#include "kernels/elementwise/unary.hpp"
#include "kernels/kernels.hpp"
#include "kernels/movement/movement.hpp"
#include "loops/contiguous.hpp"
#include "machine/parallel.hpp"

namespace cpu {
namespace {

struct Rotation {
  int64_t heads, rotated;
  bool is_interleaved;
};

// Where the heads of a token lie.
struct Tokens {
  int64_t batch, heads, length, width;
  bool has_heads_outside;  // [batch, heads, length, width], not [batch, length, heads * width]

  Tokens(sy::Extents shape, int64_t heads_of_rank_3) {
    batch = shape[0];
    has_heads_outside = shape.size() == 4;
    if (has_heads_outside) {
      heads = shape[1], length = shape[2], width = shape[3];
      return;
    }
    if (heads_of_rank_3 < 1 || shape[2] % heads_of_rank_3 != 0) {
      throw sy::invalid(shape[2], " elements do not divide among ", heads_of_rank_3, " heads");
    }
    heads = heads_of_rank_3, length = shape[1], width = shape[2] / heads;
  }
  int64_t offset(int64_t b, int64_t head, int64_t token) const {
    if (has_heads_outside) return ((b * heads + head) * length + token) * width;
    return ((b * length + token) * heads + head) * width;
  }
};

template <typename W>
void rotate(const W* x, W* y, const W* cosine, const W* sine, int64_t half, int64_t width,
            bool is_interleaved) {
  const int64_t step = is_interleaved ? 2 : 1;
  const int64_t apart = is_interleaved ? 1 : half;
  for (int64_t i = 0; i < half; ++i) {
    const W a = x[i * step];
    const W b = x[i * step + apart];
    y[i * step] = cosine[i] * a - sine[i] * b;
    y[i * step + apart] = sine[i] * a + cosine[i] * b;
  }
  std::copy(x + 2 * half, x + width, y + 2 * half);
}

template <typename W>
void rotary_embedding(Call& call, const Rotation& rotation) {
  const ConstTensor& input = call.input(0);
  const Tokens tokens(input.shape, rotation.heads);
  const ConstTensor& cache = call.input(1);
  const int64_t half = (rotation.rotated == 0 ? tokens.width : rotation.rotated) / 2;
  if (half * 2 > tokens.width || cache.shape[cache.rank() - 1] != half) {
    throw sy::invalid("a cache of shape ", cache.shape, " does not turn ", half * 2, " of ",
                      tokens.width, " elements");
  }
  if (!std::ranges::equal(call.input(2).shape, cache.shape)) {
    throw sy::invalid("cosines of shape ", cache.shape, " and sines of shape ",
                      call.input(2).shape);
  }
  const ContiguousInput<W> x(input), cosines(cache), sines(call.input(2));
  const ContiguousOutput<W> y(call.output(0));
  std::vector<int64_t> positions;
  if (call.has_input(3)) {
    positions = integers_of(call.input(3));
    for (const int64_t position : positions) {
      if (position >= 0 && position < cache.shape[0]) continue;
      throw sy::invalid("position ", position, " lies outside of the cache's ", cache.shape[0]);
    }
  }
  const int64_t count = tokens.batch * tokens.length;
  const int64_t elements = std::max<int64_t>(1, tokens.heads * tokens.width);
  parallel_for(count, std::max<int64_t>(1, 32768 / elements), [&](int64_t begin, int64_t end) {
    for (int64_t token = begin; token < end; ++token) {
      const int64_t position = positions.empty() ? token : positions[static_cast<size_t>(token)];
      for (int64_t head = 0; head < tokens.heads; ++head) {
        const int64_t at = tokens.offset(token / tokens.length, head, token % tokens.length);
        rotate(x.data() + at, y.data() + at, cosines.data() + position * half,
               sines.data() + position * half, half, tokens.width, rotation.is_interleaved);
      }
    }
  });
  y.write_back();
}

Prepared make_rotary_embedding(const sy::Node& node) {
  const Rotation rotation{node.integer("num_heads", 0), node.integer("rotary_embedding_dim", 0),
                          node.flag("interleaved")};
  const bool wide = node.required_input(0).dtype == SY_FLOAT64;
  Prepared made;
  made.kernel = function_kernel([rotation, wide](Call& call) {
    if (wide) return rotary_embedding<double>(call, rotation);
    rotary_embedding<float>(call, rotation);
  });
  return made;
}

constexpr uint64_t inputs = sy::float_dtypes | SY_DTYPE_BIT(SY_INT64);

constexpr KernelRow rotary_embedding_rows[] = {
    {"RotaryEmbedding", inputs, sy::float_dtypes, make_rotary_embedding, nullptr, any_strides, "",
     1, UINT32_MAX},
};

}  // namespace

KernelTable rotary_embedding_kernels() { return rotary_embedding_rows; }

}  // namespace cpu

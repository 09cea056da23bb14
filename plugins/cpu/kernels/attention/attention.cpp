// Attention: some rows of scores at a time, so that they stay in the cache; keys behind the last
// one that a block of rows may see are not looked at.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "gemm/matrices.hpp"
#include "kernels/elementwise/unary.hpp"
#include "kernels/kernels.hpp"
#include "kernels/movement/movement.hpp"
#include "loops/contiguous.hpp"
#include "machine/parallel.hpp"
#include "simd/vector_lines.hpp"
#include "switchyard/plugin/division.hpp"

namespace cpu {
namespace {

enum class ScoresGiven { products, softcapped, masked, softmax };

struct Options {
  int64_t q_heads, kv_heads;  // of inputs of rank 3
  std::optional<double> scale;
  double softcap;
  bool is_causal;
  ScoresGiven scores;
};

// [batch, heads, length, width] in the strides of a tensor of rank 3 or 4.
template <typename W>
struct Heads {
  W* data;
  int64_t batch, heads, length, width;
  int64_t batch_step, head_step, row_step, column_step;

  static Heads of(W* data, sy::Extents shape, int64_t heads_of_rank_3) {
    if (shape.size() == 4) {
      const int64_t plane = shape[2] * shape[3];
      return {data, shape[0], shape[1], shape[2], shape[3], shape[1] * plane, plane, shape[3], 1};
    }
    if (heads_of_rank_3 < 1 || shape[2] % heads_of_rank_3 != 0) {
      throw sy::invalid(shape[2], " elements do not divide among ", heads_of_rank_3, " heads");
    }
    const int64_t width = shape[2] / heads_of_rank_3;
    return {data,     shape[0], heads_of_rank_3, shape[1], width, shape[1] * shape[2], width,
            shape[2], 1};
  }
  W* at(int64_t b, int64_t h, int64_t row) const {
    return data + b * batch_step + h * head_step + row * row_step;
  }
  using AnyMatrix = std::conditional_t<std::is_const_v<W>, ConstMatrix, Matrix>;
  AnyMatrix matrix(int64_t b, int64_t h, int64_t row, bool is_turned = false) const {
    return {sy::dtype_of<std::remove_const_t<W>>, at(b, h, row), is_turned ? column_step : row_step,
            is_turned ? row_step : column_step};
  }
};

// Keys or values: those of the past and those of now, one behind the other where there is a past.
template <typename W>
class Cache {
 public:
  Cache(const Call& call, uint32_t now, uint32_t past, int64_t heads)
      : now_(call.input(now)),
        heads_(Heads<const W>::of(now_.data(), call.input(now).shape, heads)) {
    if (!call.has_input(past)) return;
    const ConstTensor& before = call.input(past);
    past_length_ = before.shape[2];
    const ContiguousInput<W> old(before);
    const int64_t total = past_length_ + heads_.length;
    const std::vector<int64_t> shape = {heads_.batch, heads_.heads, total, heads_.width};
    joined_.resize(static_cast<size_t>(sy::element_count(shape)));
    const Heads<W> to = Heads<W>::of(joined_.data(), shape, 0);
    const Heads<const W> from = Heads<const W>::of(old.data(), before.shape, 0);
    for (int64_t b = 0; b < heads_.batch; ++b) {
      for (int64_t h = 0; h < heads_.heads; ++h) {
        std::copy_n(from.at(b, h, 0), past_length_ * heads_.width, to.at(b, h, 0));
        for (int64_t row = 0; row < heads_.length; ++row) {
          std::copy_n(heads_.at(b, h, row), heads_.width, to.at(b, h, past_length_ + row));
        }
      }
    }
    heads_ = Heads<const W>::of(joined_.data(), shape, 0);
  }
  Cache(const Cache&) = delete;
  Cache& operator=(const Cache&) = delete;

  const Heads<const W>& heads() const { return heads_; }
  int64_t past_length() const { return past_length_; }

  void write(Call& call, uint32_t output) const {
    if (!call.has_output(output)) return;
    const std::vector<int64_t> shape = {heads_.batch, heads_.heads, heads_.length, heads_.width};
    const std::vector<int64_t> strides = {heads_.batch_step, heads_.head_step, heads_.row_step, 1};
    copy_tensor({sy::dtype_of<W>, heads_.data, shape, strides}, call.output(output));
  }

 private:
  ContiguousInput<W> now_;
  std::vector<W> joined_;
  Heads<const W> heads_;
  int64_t past_length_ = 0;
};

// What is added to the scores. A last extent that is shorter than the scores', but for 1, which
// broadcasts, stands for keys that are not seen.
template <typename W>
class Mask {
 public:
  explicit Mask(const Call& call) {
    if (!call.has_input(3)) return;
    const ConstTensor& mask = call.input(3);
    const size_t rank = mask.rank();
    if (mask.dtype == SY_BOOL) {
      flags_.emplace(mask);
    } else {
      numbers_.emplace(mask);
    }
    int64_t step = 1;
    for (size_t i = 0; i < rank && i < 4; ++i) {
      const int64_t extent = mask.shape[rank - 1 - i];
      steps_[3 - i] = extent == 1 ? 0 : step;
      if (i == 0) length_ = extent;
      step *= extent;
    }
    is_given_ = true;
    if (rank == 0) length_ = 1;
  }

  void add(W* scores, int64_t b, int64_t h, int64_t row, int64_t count) const {
    if (!is_given_) return;
    const int64_t first = b * steps_[0] + h * steps_[1] + row * steps_[2];
    const int64_t seen = length_ == 1 ? count : std::min(count, length_);
    const int64_t step = steps_[3];
    if (flags_) {
      const auto* flags = reinterpret_cast<const uint8_t*>(flags_->data()) + first;
      for (int64_t i = 0; i < seen; ++i) {
        if (flags[i * step] == 0) scores[i] = never;
      }
    } else {
      const W* numbers = numbers_->data() + first;
      for (int64_t i = 0; i < seen; ++i) scores[i] += numbers[i * step];
    }
    std::fill(scores + seen, scores + count, never);
  }

  static constexpr W never = -std::numeric_limits<W>::infinity();

 private:
  std::optional<ContiguousInput<bool>> flags_;
  std::optional<ContiguousInput<W>> numbers_;
  int64_t steps_[4] = {0, 0, 0, 0};
  int64_t length_ = 1;
  bool is_given_ = false;
};

void softmax(float* line, int64_t count) { vector_lines().softmax(line, line, count); }
void softmax(double* line, int64_t count) {
  const double most = *std::max_element(line, line + count);
  double sum = 0;
  for (int64_t i = 0; i < count; ++i) sum += line[i] = std::exp(line[i] - most);
  for (int64_t i = 0; i < count; ++i) line[i] /= sum;
}

template <typename W>
class Attending {
 public:
  Attending(Call& call, const Options& options)
      : options_(options),
        query_(call.input(0)),
        q_(Heads<const W>::of(query_.data(), call.input(0).shape, options.q_heads)),
        keys_(call, 1, 4, options.kv_heads),
        values_(call, 2, 5, options.kv_heads),
        mask_(call),
        output_(call.output(0)),
        y_(Heads<W>::of(output_.data(), call.output(0).shape, q_.heads)),
        scale_(options.scale.value_or(1 / std::sqrt(static_cast<double>(q_.width)))) {
    if (k().heads == 0 || q_.heads % k().heads != 0) {
      throw sy::invalid(q_.heads, " heads of the query for ", k().heads, " of the key");
    }
    if (call.has_input(6)) read_lengths(integers_of(call.input(6)));
    if (call.has_output(3)) scores_.emplace(call.output(3));
  }

  void run(Call& call) {
    const int64_t blocks = sy::ceil_div(q_.length, rows_of_block);
    const int64_t count = q_.batch * q_.heads * blocks;
    const auto run_some = [&](int64_t begin, int64_t end) {
      Scratch<W> scores(std::min(rows_of_block, q_.length) * k().length);
      for (int64_t i = begin; i < end; ++i) {
        const int64_t head = i / blocks;
        run_block(head / q_.heads, head % q_.heads, i % blocks * rows_of_block, scores.data());
      }
    };
    const int64_t work = std::min(rows_of_block, q_.length) * k().length * (q_.width + 1);
    if (count >= thread_count()) {
      parallel_for(count, std::max<int64_t>(1, (int64_t{1} << 19) / std::max<int64_t>(1, work)),
                   run_some);
    } else {
      run_some(0, count);  // the products use the team
    }
    output_.write_back();
    if (scores_) scores_->write_back();
    keys_.write(call, 1);
    values_.write(call, 2);
  }

 private:
  static constexpr int64_t rows_of_block = 64;

  void read_lengths(std::vector<int64_t> lengths) {
    for (const int64_t length : lengths) {
      if (length >= 0 && length <= k().length) continue;
      throw sy::invalid("nonpad_kv_seqlen ", length, " is outside of ", k().length, " keys");
    }
    lengths_ = std::move(lengths);
  }

  const Heads<const W>& k() const { return keys_.heads(); }

  // Keys that row `row` of a batch may see.
  int64_t seen_by(int64_t b, int64_t row) const {
    int64_t seen = k().length;
    if (options_.is_causal) seen = std::min(seen, keys_.past_length() + row + 1);
    if (!lengths_.empty()) seen = std::min(seen, lengths_[static_cast<size_t>(b)]);
    return std::max<int64_t>(seen, 0);
  }

  void give(ScoresGiven stage, const W* line, int64_t b, int64_t h, int64_t row) const {
    if (!scores_ || options_.scores != stage) return;
    const int64_t position = (b * q_.heads + h) * q_.length + row;
    std::copy_n(line, k().length, scores_->data() + position * k().length);
  }

  void run_row(W* line, int64_t b, int64_t h, int64_t row, int64_t count) const {
    const int64_t seen = std::min(count, seen_by(b, row));
    give(ScoresGiven::products, line, b, h, row);
    if (options_.softcap > 0) {
      const auto cap = static_cast<W>(options_.softcap);
      for (int64_t i = 0; i < count; ++i) line[i] = cap * std::tanh(line[i] / cap);
    }
    give(ScoresGiven::softcapped, line, b, h, row);
    mask_.add(line, b, h, row, count);
    std::fill(line + seen, line + count, Mask<W>::never);
    give(ScoresGiven::masked, line, b, h, row);
    if (count > 0) softmax(line, count);
    give(ScoresGiven::softmax, line, b, h, row);
  }

  void run_block(int64_t b, int64_t h, int64_t first, W* scores) const {
    const int64_t rows = std::min(rows_of_block, q_.length - first);
    const int64_t kv = h / (q_.heads / k().heads);
    // At least one key, so that a row that sees none becomes NaN, as softmax has it.
    const int64_t keys =
        scores_ ? k().length
                : std::min(k().length, std::max<int64_t>(1, seen_by(b, first + rows - 1)));
    if (keys == 0 || rows == 0) {
      for (int64_t row = 0; row < rows; ++row) {
        std::fill_n(y_.at(b, h, first + row), y_.width, W{0});
      }
      return;
    }
    MatrixProduct product;
    product.m = rows;
    product.n = keys;
    product.k = q_.width;
    product.a = q_.matrix(b, h, first);
    product.b = k().matrix(b, kv, 0, true);
    product.c = {sy::dtype_of<W>, scores, keys, 1};
    product.alpha = scale_;
    multiply(product);
    for (int64_t row = 0; row < rows; ++row) {
      run_row(scores + row * keys, b, h, first + row, keys);
    }
    MatrixProduct mixing;
    mixing.m = rows;
    mixing.n = values_.heads().width;
    mixing.k = keys;
    mixing.a = product.c;
    mixing.b = values_.heads().matrix(b, kv, 0);
    mixing.c = y_.matrix(b, h, first);
    multiply(mixing);
  }

  Options options_;
  ContiguousInput<W> query_;
  Heads<const W> q_;
  Cache<W> keys_, values_;
  Mask<W> mask_;
  ContiguousOutput<W> output_;
  Heads<W> y_;
  double scale_;
  std::vector<int64_t> lengths_;
  std::optional<ContiguousOutput<W>> scores_;
};

Prepared make_attention(const sy::Node& node) {
  Options options;
  options.q_heads = node.integer("q_num_heads", 0);
  options.kv_heads = node.integer("kv_num_heads", 0);
  if (node.has("scale")) options.scale = node.real("scale");
  options.softcap = node.real("softcap", 0.0f);
  options.is_causal = node.flag("is_causal");
  options.scores = static_cast<ScoresGiven>(node.integer("qk_matmul_output_mode", 0));
  const bool wide = node.required_input(0).dtype == SY_FLOAT64 ||
                    node.required_input(2).dtype == SY_FLOAT64 ||
                    node.integer("softmax_precision", 0) == SY_FLOAT64;
  Prepared made;
  made.kernel = function_kernel([options, wide](Call& call) {
    if (wide) return Attending<double>(call, options).run(call);
    Attending<float>(call, options).run(call);
  });
  return made;
}

void check_attention(const sy::Node& node) {
  const int64_t mode = node.integer("qk_matmul_output_mode", 0);
  if (mode < 0 || mode > 3) {
    throw sy::unsupported(SY_REASON_ATTRIBUTE, "qk_matmul_output_mode is ", mode,
                          "; it may be 0 to 3");
  }
}

constexpr uint64_t masks = sy::float_dtypes | sy::integer_dtypes | SY_DTYPE_BIT(SY_BOOL);

constexpr KernelRow attention_rows[] = {
    {"Attention", masks, sy::float_dtypes, make_attention, check_attention, any_strides},
};

}  // namespace

KernelTable attention_kernels() { return attention_rows; }

}  // namespace cpu

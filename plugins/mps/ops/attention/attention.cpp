#include "ops/attention/attention.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "ops/building/arguments.hpp"
#include "runtime/axes.hpp"

namespace mps {
namespace {

constexpr uint32_t group_threads = 128;

// As kernels/attention.metal reads them.
struct AttentionParameters {
  uint32_t queries, keys, depth, columns;
  int32_t q_row, q_depth;
  int32_t k_depth, k_key;
  int32_t v_key, v_column;
  int32_t y_row, y_column;
  int32_t mask_row, mask_key;
  int32_t condition_row, condition_key;
  uint32_t has_mask;
  uint32_t has_condition;
  uint32_t fills_where;
  uint32_t fill_offset;
  uint32_t scalings[3];
  uint32_t scale_offsets[3];
  uint32_t wide_operands;
  uint32_t wide_results;
};

// The kernels that there are, in the order in which they are preferred: for up to `depth` elements
// and `most_queries` rows, of which a group has `rows`.
struct Form {
  int64_t depth;
  int64_t most_queries;
  uint32_t rows;
};
constexpr int64_t any = std::numeric_limits<int64_t>::max();
constexpr Form forms[] = {
    {64, 4, 4}, {64, any, 32}, {128, 4, 4}, {128, any, 16}, {most_attended_depth, any, 8}};

const Form& form_of(int64_t queries, int64_t depth, int64_t columns) {
  return *std::find_if(std::begin(forms), std::end(forms), [&](const Form& form) {
    return std::max(depth, columns) <= form.depth && queries <= form.most_queries;
  });
}

int64_t blocks_of(int64_t queries, const Form& form) { return (queries - 1) / form.rows + 1; }

// A tensor as the kernel sees it: its strides, in elements, broadcast to the rank of the output.
struct Seen {
  Seen(const Tensor& tensor, sy::Extents shape, uint32_t index)
      : bound(bind(tensor, index)),
        strides(sy::broadcast_strides(tensor.shape, tensor.strides.data.data(), shape)) {
    // Refuses what 32 bits do not reach.
    make_axes(tensor.shape, std::array{Walked{tensor.strides.data.data(), bound.offset}});
  }
  Walked walked() const { return {strides.data.data(), bound.offset}; }
  int32_t row() const { return int32_step(strides[strides.rank - 2]); }
  int32_t column() const { return int32_step(strides[strides.rank - 1]); }

  Bound bound;
  sy::Dimensions strides;
};

// The output's batch, before such a matrix.
sy::Dimensions with_matrix(sy::Extents output, int64_t rows, int64_t columns) {
  sy::Dimensions shape(output);
  shape.data[shape.rank - 2] = rows;
  shape.data[shape.rank - 1] = columns;
  return shape;
}

class Encoder {
 public:
  explicit Encoder(const AttentionTensors& tensors)
      : given_(tensors),
        output_(tensors.output->shape),
        queries_(output_[output_.size() - 2]),
        depth_(tensors.query->shape.back()),
        keys_(tensors.key->shape.back()),
        columns_(output_.back()),
        query_(*tensors.query, with_matrix(output_, queries_, depth_), 0),
        key_(*tensors.key, with_matrix(output_, depth_, keys_), 0),
        value_(*tensors.value, with_matrix(output_, keys_, columns_), 0),
        made_(*tensors.output, output_, 0),
        // What is not there is not read.
        mask_(tensors.mask != nullptr ? scores(*tensors.mask) : query_),
        condition_(tensors.condition != nullptr ? scores(*tensors.condition) : query_) {}

  void encode(Device& device, Stream& stream) {
    fill_parameters();
    const sy::Extents outer = output_.first(output_.size() - 2);
    const Axes batch = make_axes(
        outer, std::array{query_.walked(), key_.walked(), value_.walked(), made_.walked()});
    const Axes masks = make_axes(outer, std::array{mask_.walked(), condition_.walked()});
    Arguments arguments;
    arguments.add(query_.bound).add(key_.bound).add(value_.bound).add(made_.bound);
    arguments.add(mask_.bound).add(condition_.bound).add(single(given_.fill));
    for (const Tensor* scale : scales()) arguments.add(single(scale));
    arguments.add_value(batch).add_value(masks).add_value(parameters_);
    const Form& form = form_of(queries_, depth_, columns_);
    const auto& pipeline = device.pipeline(
        sy::text("attention_", metal_type(given_.query->dtype), "_", form.depth, "_", form.rows));
    const auto blocks = static_cast<uint32_t>(blocks_of(queries_, form));
    arguments.run_groups(stream, pipeline, batch.count * blocks, group_threads);
  }

 private:
  Seen scores(const Tensor& mask) const { return {mask, with_matrix(output_, queries_, keys_), 0}; }
  std::array<const Tensor*, 3> scales() const {
    return {given_.query_scaling.by, given_.key_scaling.by, given_.score_scaling.by};
  }
  Bound single(const Tensor* tensor) const {
    return tensor != nullptr ? bind(*tensor, 0) : query_.bound;
  }

  void fill_parameters() {
    AttentionParameters& p = parameters_;
    p.queries = static_cast<uint32_t>(queries_);
    p.keys = static_cast<uint32_t>(keys_);
    p.depth = static_cast<uint32_t>(depth_);
    p.columns = static_cast<uint32_t>(columns_);
    p.q_row = query_.row();
    p.q_depth = query_.column();
    p.k_depth = key_.row();
    p.k_key = key_.column();
    p.v_key = value_.row();
    p.v_column = value_.column();
    p.y_row = made_.row();
    p.y_column = made_.column();
    p.mask_row = mask_.row();
    p.mask_key = mask_.column();
    p.condition_row = condition_.row();
    p.condition_key = condition_.column();
    p.has_mask = given_.mask != nullptr;
    p.has_condition = given_.condition != nullptr;
    p.fills_where = given_.fills_where;
    p.fill_offset = static_cast<uint32_t>(single(given_.fill).offset);
    fill_scaling(0, given_.query_scaling);
    fill_scaling(1, given_.key_scaling);
    fill_scaling(2, given_.score_scaling);
    widen(AttentionStep::scaled_query, given_.query_scaling.by);
    widen(AttentionStep::scaled_key, given_.key_scaling.by);
    widen(AttentionStep::scaled_scores, given_.score_scaling.by);
    widen(AttentionStep::filled, given_.fill);
    widen(AttentionStep::masked, given_.mask);
    p.wide_results = given_.wide_results;
  }

  void widen(AttentionStep step, const Tensor* operand) {
    if (operand == nullptr || operand->dtype != SY_FLOAT32) return;
    parameters_.wide_operands |= attention_bit(step);
  }

  void fill_scaling(size_t which, const Scaling& scaling) {
    if (scaling.by == nullptr) return;
    parameters_.scalings[which] = scaling.divides ? 2 : 1;
    parameters_.scale_offsets[which] = static_cast<uint32_t>(bind(*scaling.by, 0).offset);
  }

  const AttentionTensors& given_;
  const sy::Extents output_;
  const int64_t queries_, depth_, keys_, columns_;
  const Seen query_, key_, value_, made_, mask_, condition_;
  AttentionParameters parameters_{};
};

}  // namespace

bool fits_attention(int64_t batch, int64_t queries, int64_t keys, int64_t depth, int64_t columns) {
  if (std::min({batch, queries, keys, depth, columns}) < 1) return false;
  if (std::max(depth, columns) > most_attended_depth) return false;
  constexpr int64_t most = std::numeric_limits<int32_t>::max();
  constexpr int64_t most_groups = std::numeric_limits<uint32_t>::max() / group_threads;
  const int64_t blocks = blocks_of(queries, form_of(queries, depth, columns));
  return queries <= most && keys <= most && blocks <= most_groups && batch <= most_groups / blocks;
}

void encode_attention(Device& device, Stream& stream, const AttentionTensors& tensors) {
  Encoder(tensors).encode(device, stream);
}

}  // namespace mps

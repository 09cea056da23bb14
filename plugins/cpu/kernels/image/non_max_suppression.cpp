// NonMaxSuppression: for each batch and class the best boxes, without those that overlap a better
// one. Formulas: ONNX operator NonMaxSuppression-11.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "kernels/kernels.hpp"
#include "kernels/movement/movement.hpp"

namespace cpu {
namespace {

struct Box {
  float top, left, bottom, right;

  float area() const { return (bottom - top) * (right - left); }
};

// Two corners in any order, or a centre with width and height.
Box box_of(const float* numbers, bool centred) {
  if (centred) {
    const float half_width = numbers[2] / 2, half_height = numbers[3] / 2;
    return {numbers[1] - half_height, numbers[0] - half_width, numbers[1] + half_height,
            numbers[0] + half_width};
  }
  return {std::min(numbers[0], numbers[2]), std::min(numbers[1], numbers[3]),
          std::max(numbers[0], numbers[2]), std::max(numbers[1], numbers[3])};
}

float overlap(const Box& a, const Box& b) {
  const float height = std::min(a.bottom, b.bottom) - std::max(a.top, b.top);
  const float width = std::min(a.right, b.right) - std::max(a.left, b.left);
  if (height <= 0 || width <= 0) return 0;
  const float shared = height * width;
  const float both = a.area() + b.area() - shared;
  return both > 0 ? shared / both : 0;
}

struct Rules {
  bool centred;
  int64_t most;
  float most_overlap;
  const float* least_score;  // null: every score will do
};

std::vector<int64_t> best_boxes(const float* boxes, const float* scores, int64_t count,
                                const Rules& rules) {
  std::vector<int64_t> order;
  for (int64_t i = 0; i < count; ++i) {
    if (rules.least_score == nullptr || scores[i] > *rules.least_score) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](int64_t a, int64_t b) { return scores[a] > scores[b]; });
  std::vector<int64_t> kept;
  for (const int64_t candidate : order) {
    if (static_cast<int64_t>(kept.size()) >= rules.most) break;
    const Box box = box_of(boxes + candidate * 4, rules.centred);
    const bool covered = std::any_of(kept.begin(), kept.end(), [&](int64_t better) {
      return overlap(box, box_of(boxes + better * 4, rules.centred)) > rules.most_overlap;
    });
    if (!covered) kept.push_back(candidate);
  }
  return kept;
}

Prepared make_suppression(const sy::Node& node) {
  const bool centred = node.flag("center_point_box");
  Prepared made;
  made.outputs = {{.mode = SY_OUTPUT_DEFERRED}};
  made.kernel = function_kernel([centred](Call& call) {
    const ConstTensor& boxes = call.input(0);
    const ConstTensor& scores = call.input(1);
    Rules rules{centred, call.has_input(2) ? integer_of(call.input(2)) : 0,
                call.has_input(3) ? *call.input(3).as<float>() : 0.0f,
                call.has_input(4) ? call.input(4).as<float>() : nullptr};
    const int64_t count = boxes.shape[1], classes = scores.shape[1];
    std::vector<int64_t> rows;
    for (int64_t batch = 0; batch < boxes.shape[0]; ++batch) {
      for (int64_t kind = 0; kind < classes; ++kind) {
        const float* of_kind = scores.as<float>() + (batch * classes + kind) * count;
        for (const int64_t box :
             best_boxes(boxes.as<float>() + batch * count * 4, of_kind, count, rules)) {
          rows.insert(rows.end(), {batch, kind, box});
        }
      }
    }
    const int64_t shape[] = {static_cast<int64_t>(rows.size()) / 3, 3};
    const Tensor out = call.allocate_output(0, shape);
    if (!rows.empty()) std::memcpy(out.data, rows.data(), rows.size() * sizeof(int64_t));
  });
  return made;
}

constexpr KernelRow non_max_suppression_rows[] = {
    {"NonMaxSuppression", SY_DTYPE_BIT(SY_FLOAT32) | SY_DTYPE_BIT(SY_INT64), SY_DTYPE_BIT(SY_INT64),
     make_suppression},
};

}  // namespace

KernelTable suppression_kernels() { return non_max_suppression_rows; }

}  // namespace cpu

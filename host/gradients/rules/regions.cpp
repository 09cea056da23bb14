// Gradients of pooling regions of images.
#include <cmath>
#include <limits>
#include <switchyard/functions.hpp>

#include "functions/calls/options_like.hpp"
#include "functions/calls/require.hpp"
#include "gradients/rules.hpp"
#include "gradients/rules/composite_gradient.hpp"
#include "gradients/rules/taps.hpp"

namespace switchyard {
namespace {

using In = std::span<const Tensor>;

constexpr double kLowest = -std::numeric_limits<double>::infinity();

/// Of one side of a cell; no picture has more pixels.
constexpr std::int64_t kMostSamples = std::int64_t{1} << 31;

// ---- RoiAlign. Samples have the extents [regions, rows, columns, samples down, samples across].

/// One side of the regions: the pixels around each sample, and how many samples a cell has, as that
/// may differ by region.
struct Side {
  TappedAxis axis;
  Tensor valid;  // which samples there are; the others are beyond a region's own number
  Tensor count;  // of samples
};

class Alignment {
 public:
  explicit Alignment(const Attributes& attributes)
      : half_(attributes.get_text("coordinate_transformation_mode", "half_pixel") == "half_pixel"),
        samples_(attributes.get_int("sampling_ratio", 0)),
        scale_(attributes.get_float("spatial_scale", 1)) {}

  /// `begin` and `end` are [regions, 1, 1, 1, 1]; `which` is 0 for rows, 1 for columns.
  Side side(const Tensor& begin, const Tensor& end, std::int64_t cells, std::int64_t which,
            std::int64_t extent) const {
    const double shift = half_ ? 0.5 : 0;
    const Tensor start = sub(mul(begin, scale_), shift);
    Tensor length = sub(sub(mul(end, scale_), shift), start);
    if (!half_) length = clamp(length, 1);
    const Tensor cell = div(length, static_cast<double>(cells));
    const Tensor like = begin.detach();
    const Tensor count = samples_ > 0 ? full_like(like, samples_)
                                      : where(gt(cell.detach(), 0), ceil(cell.detach()), 0);
    const double largest = count.size() == 0 ? 0 : amax(count).item();
    const std::int64_t most =
        whole_within("RoiAlign", "the number of samples of a cell", largest, 0, kMostSamples);
    const Tensor sample = counted(most, 3 + which, 5, like);
    const Tensor inside = div(add(sample, 0.5), clamp(count, 1));
    const Tensor at = add(start, mul(cell, add(counted(cells, 1 + which, 5, like), inside)));
    const Tensor valid = lt(sample, count);
    return {around(at, valid, extent), valid, count};
  }

 private:
  /// The two pixels around a valid sample; one that is farther than 1 outside has none.
  static TappedAxis around(const Tensor& at, const Tensor& valid, std::int64_t extent) {
    const Tensor where_it_is = at.detach();
    const Mask near = logical_and(ge(where_it_is, -1), le(where_it_is, extent));
    const Tensor seen = logical_and(near, valid);
    const Tensor inside = clamp(at, 0, extent - 1);
    const Tensor low = floor(inside.detach());
    const Tensor t = sub(inside, low);
    const auto tap = [&](const Tensor& index, const Tensor& weight) -> Tap {
      return {clamp(index, {}, extent - 1).to(DType::int64), weight, seen};
    };
    return {extent, {tap(low, sub(1, t)), tap(add(low, 1), t)}};
  }

  const bool half_;
  const std::int64_t samples_;
  const double scale_;
};

/// The greatest of all weighted pixels; 0 where there is no sample.
Tensor greatest(const std::vector<Tensor>& parts, const Tensor& valid) {
  const Tensor all = stack(parts, -1);
  const Tensor there = unsqueeze(unsqueeze(valid, -1), -1);
  const Tensor most = amax(where(there, all, kLowest), {3, 4, 6});
  return where(eq(most.detach(), kLowest), 0, most);
}

std::vector<Tensor> roi_align(const Backward& step, In in) {
  const Attributes& given = step.attributes();
  const Tensor x = widened(in[0]), regions = reshape(widened(in[1]), {-1, 4, 1, 1, 1, 1});
  const std::int64_t count = regions.size(0), channels = x.size(1);
  const std::int64_t rows = given.get_int("output_height", 1);
  const std::int64_t columns = given.get_int("output_width", 1);
  const auto edge = [&](std::int64_t i) { return select(regions, 1, i); };
  const Alignment alignment(given);
  const Side down = alignment.side(edge(1), edge(3), rows, 0, x.size(2));
  const Side across = alignment.side(edge(0), edge(2), columns, 1, x.size(3));
  const Tensor valid = logical_and(down.valid, across.valid);
  if (count == 0 || valid.size() == 0) {
    return {in[0].detach().new_full({count, channels, rows, columns}, 0)};
  }
  const Tensor images = reshape(in[2].to(DType::int64), {count, 1, 1, 1, 1});
  const TappedAxis axes[] = {down.axis, across.axis};
  const Tensor pixels = rows_of_pixels(x);
  Tensor joined;
  if (given.get_text("mode", "avg") == "max") {
    joined = greatest(tapped_parts(pixels, images, axes), valid);
  } else {
    const Tensor number = reshape(clamp(mul(down.count, across.count), 1), {count, 1, 1, 1});
    joined = div(sum(tapped(pixels, images, axes), Dims{3, 4}), number);
  }
  return {movedim(joined, -1, 1).to(in[0].dtype())};
}

// ---- MaxRoiPool. Regions are rounded to whole pixels, so there is no gradient by them.

/// Which pixels each cell of a region's side joins, on the host.
struct CellSpans {
  std::vector<std::int64_t> begins, ends;
  std::int64_t longest = 0;

  void add(double first, double last, double scale, std::int64_t cells, std::int64_t extent) {
    const auto pixel = [scale](double at) {
      const double position = std::round(at * scale);
      return std::isnan(position) ? 0
                                  : static_cast<std::int64_t>(std::clamp(position, -1e12, 1e12));
    };
    const std::int64_t start = pixel(first), end = pixel(last);
    const double cell = static_cast<double>(std::max<std::int64_t>(end - start + 1, 1)) /
                        static_cast<double>(cells);
    for (std::int64_t i = 0; i < cells; ++i) {
      const auto low = static_cast<std::int64_t>(std::floor(static_cast<double>(i) * cell));
      const auto high = static_cast<std::int64_t>(std::ceil(static_cast<double>(i + 1) * cell));
      begins.push_back(std::clamp<std::int64_t>(start + low, 0, extent));
      ends.push_back(std::clamp<std::int64_t>(start + high, 0, extent));
      longest = std::max(longest, ends.back() - begins.back());
    }
  }

  /// The pixels, [regions, rows, columns, down, across], and which of them there are.
  TappedAxis pixels(std::int64_t regions, std::int64_t which, std::int64_t extent,
                    const Tensor& like, Tensor& valid) const {
    Dims by_cell = Dims::filled(5, 1);
    by_cell[0] = regions;
    by_cell[static_cast<std::size_t>(1 + which)] =
        static_cast<std::int64_t>(begins.size()) / regions;
    TensorOptions options = options_like(like);
    options.dtype = DType::int64;
    const Tensor begin = tensor(begins, by_cell, options), end = tensor(ends, by_cell, options);
    const Tensor at = switchyard::add(begin, counted_indices(longest, 3 + which, 5, like));
    valid = lt(at, end);
    return {extent, {{clamp(at, {}, extent - 1), like.new_full({1, 1, 1, 1, 1}, 1)}}};
  }
};

std::vector<Tensor> max_roi_pool(const Backward& step, In in) {
  const std::vector<std::int64_t> cells = step.attributes().get_ints("pooled_shape");
  const double scale = step.attributes().get_float("spatial_scale", 1);
  const Tensor x = widened(in[0]);
  const std::vector<double> regions = in[1].detach().to(DType::float64).to_vector<double>();
  CellSpans down, across;
  std::vector<std::int64_t> images;
  for (std::size_t r = 0; r + 4 < regions.size(); r += 5) {
    images.push_back(static_cast<std::int64_t>(regions[r]));
    down.add(regions[r + 2], regions[r + 4], scale, cells[0], x.size(2));
    across.add(regions[r + 1], regions[r + 3], scale, cells[1], x.size(3));
  }
  const auto count = static_cast<std::int64_t>(images.size());
  if (count == 0 || down.longest == 0 || across.longest == 0) {
    return {in[0].detach().new_full({count, x.size(1), cells[0], cells[1]}, 0)};
  }
  Tensor rows_there, columns_there;
  const Tensor like = x.detach();
  const TappedAxis axes[] = {down.pixels(count, 0, x.size(2), like, rows_there),
                             across.pixels(count, 1, x.size(3), like, columns_there)};
  TensorOptions options = options_like(like);
  options.dtype = DType::int64;
  const Tensor owners = tensor(images, {count, 1, 1, 1, 1}, options);
  const Tensor seen = tapped(rows_of_pixels(x), owners, axes);
  const Tensor valid = unsqueeze(logical_and(rows_there, columns_there), -1);
  const Tensor most = amax(where(valid, seen, kLowest), {3, 4});
  const Tensor filled = where(eq(most.detach(), kLowest), 0, most);
  return {movedim(filled, -1, 1).to(in[0].dtype())};
}

constexpr RuleRow kRegionsRules[] = {
    {"RoiAlign", composite_gradient<roi_align>, kAll},
    {"MaxRoiPool", composite_gradient<max_roi_pool>, kAll},
};

}  // namespace

std::span<const RuleRow> region_rules() { return kRegionsRules; }

}  // namespace switchyard

// Col2Im: the columns of sliding blocks added up into the image that they were taken from.
#include <vector>

#include "kernels/kernels.hpp"
#include "kernels/movement/movement.hpp"
#include "loops/contiguous.hpp"
#include "loops/indices.hpp"
#include "loops/numbers.hpp"
#include "machine/parallel.hpp"
#include "switchyard/plugin/window.hpp"

namespace cpu {
namespace {

// Where each element of a block's column goes, and where the blocks start.
class Image {
 public:
  Image(std::vector<int64_t> extents, std::vector<int64_t> block, const sy::WindowAttributes& given)
      : extents_(std::move(extents)), block_(std::move(block)) {
    const size_t rank = extents_.size();
    if (block_.size() != rank) throw sy::invalid("image and block differ in rank");
    check_count(given.dilations, rank);
    check_count(given.pads, 2 * rank);
    check_count(given.strides, rank);
    for (size_t d = 0; d < rank; ++d) {
      const sy::WindowAxis axis = given.axis(d, block_[d]);
      if (axis.stride < 1 || axis.dilation < 1 || axis.kernel < 1) {
        throw sy::invalid("Col2Im's blocks, strides and dilations must be at least 1");
      }
      axes_.push_back(axis);
      positions_.push_back(sy::conv_output_size(axis, extents_[d]).value_or(0));
    }
  }

  int64_t block_size() const { return sy::element_count(block_); }
  int64_t positions() const { return sy::element_count(positions_); }
  int64_t size() const { return sy::element_count(extents_); }

  template <typename W>
  void add(const W* columns, W* image) const {
    const int64_t count = positions();
    for_each_position(block_, [&](int64_t element, const std::vector<int64_t>& inside) {
      for_each_position(positions_, [&](int64_t position, const std::vector<int64_t>& start) {
        int64_t to = 0;
        for (size_t d = 0; d < extents_.size(); ++d) {
          const int64_t at = axes_[d].start(start[d]) + inside[d] * axes_[d].dilation;
          if (at < 0 || at >= extents_[d]) return;
          to = to * extents_[d] + at;
        }
        image[to] += columns[element * count + position];
      });
    });
  }

 private:
  void check_count(const std::vector<int64_t>& numbers, size_t count) const {
    if (numbers.empty() || numbers.size() == count) return;
    throw sy::invalid("Col2Im has ", numbers.size(), " numbers for ", extents_.size(),
                      " dimensions");
  }

  std::vector<int64_t> extents_, block_, positions_;
  std::vector<sy::WindowAxis> axes_;
};

template <typename W>
void col2im(Call& call, const sy::WindowAttributes& blocks) {
  const ConstTensor& input = call.input(0);
  const Image image(integers_of(call.input(1)), integers_of(call.input(2)), blocks);
  const int64_t planes = input.shape[0] * input.shape[1] / image.block_size();
  if (input.shape[1] % image.block_size() != 0 || input.shape[2] != image.positions()) {
    throw sy::invalid("columns of shape ", input.shape, " do not belong to ", image.positions(),
                      " blocks of ", image.block_size());
  }
  const std::vector<W> columns = numbers_of<W>(input);
  std::vector<W> sums(static_cast<size_t>(planes * image.size()), W{0});
  parallel_for(planes, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      image.add(columns.data() + i * image.block_size() * image.positions(),
                sums.data() + i * image.size());
    }
  });
  write_numbers(sums, call.output(0));
}

Prepared make_col2im(const sy::Node& node) {
  const sy_dtype dtype = node.required_input(0).dtype;
  Prepared made;
  made.kernel = function_kernel([blocks = sy::WindowAttributes(node), dtype](Call& call) {
    if ((sy::integer_dtypes & SY_DTYPE_BIT(dtype)) != 0) return col2im<int64_t>(call, blocks);
    col2im<double>(call, blocks);
  });
  return made;
}

constexpr KernelRow col2im_rows[] = {
    {"Col2Im", numeric_types, numeric_types, make_col2im, nullptr, any_strides, "", 1, UINT32_MAX,
     3, 3},
};

}  // namespace

KernelTable col2im_kernels() { return col2im_rows; }

}  // namespace cpu

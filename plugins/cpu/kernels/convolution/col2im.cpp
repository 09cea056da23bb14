// Col2Im: the columns of sliding blocks added up into the image that they were taken from.
#include <vector>

#include "kernels/kernels.hpp"
#include "kernels/movement/movement.hpp"
#include "loops/contiguous.hpp"
#include "loops/indices.hpp"
#include "loops/numbers.hpp"
#include "machine/parallel.hpp"

namespace cpu {
namespace {

struct Blocks {
  std::vector<int64_t> dilations, pads, strides;  // empty: 1, 0, 1
};

// Where each element of a block's column goes, and where the blocks start.
class Image {
 public:
  Image(std::vector<int64_t> extents, std::vector<int64_t> block, const Blocks& blocks)
      : extents_(std::move(extents)), block_(std::move(block)) {
    const size_t rank = extents_.size();
    const auto or_all = [&](const std::vector<int64_t>& given, size_t count, int64_t otherwise) {
      std::vector<int64_t> made = given.empty() ? std::vector<int64_t>(count, otherwise) : given;
      if (made.size() == count) return made;
      throw sy::invalid("Col2Im has ", made.size(), " numbers for ", rank, " dimensions");
    };
    dilations_ = or_all(blocks.dilations, rank, 1);
    pads_ = or_all(blocks.pads, 2 * rank, 0);
    strides_ = or_all(blocks.strides, rank, 1);
    if (block_.size() != rank) throw sy::invalid("image and block differ in rank");
    for (size_t d = 0; d < rank; ++d) {
      if (strides_[d] < 1 || dilations_[d] < 1 || block_[d] < 1) {
        throw sy::invalid("Col2Im's blocks, strides and dilations must be at least 1");
      }
      const int64_t room =
          extents_[d] + pads_[d] + pads_[d + rank] - dilations_[d] * (block_[d] - 1) - 1;
      places_.push_back(room < 0 ? 0 : room / strides_[d] + 1);
    }
  }

  int64_t block_size() const { return sy::element_count(block_); }
  int64_t places() const { return sy::element_count(places_); }
  int64_t size() const { return sy::element_count(extents_); }

  template <typename W>
  void add(const W* columns, W* image) const {
    const int64_t count = places();
    for_each_position(block_, [&](int64_t element, const std::vector<int64_t>& inside) {
      for_each_position(places_, [&](int64_t place, const std::vector<int64_t>& start) {
        int64_t to = 0;
        for (size_t d = 0; d < extents_.size(); ++d) {
          const int64_t at = start[d] * strides_[d] + inside[d] * dilations_[d] - pads_[d];
          if (at < 0 || at >= extents_[d]) return;
          to = to * extents_[d] + at;
        }
        image[to] += columns[element * count + place];
      });
    });
  }

 private:
  std::vector<int64_t> extents_, block_, dilations_, pads_, strides_, places_;
};

template <typename W>
void col2im(Call& call, const Blocks& blocks) {
  const Tensor& input = call.input(0);
  const Image image(integers_of(call.input(1)), integers_of(call.input(2)), blocks);
  const int64_t planes = input.shape[0] * input.shape[1] / image.block_size();
  if (input.shape[1] % image.block_size() != 0 || input.shape[2] != image.places()) {
    throw sy::invalid("columns of shape ", input.shape, " do not belong to ", image.places(),
                      " blocks of ", image.block_size());
  }
  const std::vector<W> columns = numbers_of<W>(input);
  std::vector<W> sums(static_cast<size_t>(planes * image.size()), W{0});
  parallel_for(planes, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      image.add(columns.data() + i * image.block_size() * image.places(),
                sums.data() + i * image.size());
    }
  });
  write_numbers(sums, call.output(0));
}

Prepared make_col2im(const sy::Node& node) {
  Blocks blocks;
  const auto read = [&](const char* name) {
    if (!node.has(name)) return std::vector<int64_t>();
    const auto numbers = node.integers(name);
    return std::vector<int64_t>(numbers.begin(), numbers.end());
  };
  blocks.dilations = read("dilations");
  blocks.pads = read("pads");
  blocks.strides = read("strides");
  const sy_dtype dtype = node.needed_input(0).dtype;
  Prepared made;
  made.run = [blocks, dtype](Call& call) {
    if ((sy::integer_dtypes & SY_DTYPE_BIT(dtype)) != 0) return col2im<int64_t>(call, blocks);
    col2im<double>(call, blocks);
  };
  return made;
}

constexpr KernelRow col2im_rows[] = {
    {"Col2Im", numeric_types, numeric_types, make_col2im, nullptr, any_strides, "", 1, UINT32_MAX,
     3, 3},
};

}  // namespace

KernelTable col2im_kernels() { return col2im_rows; }

}  // namespace cpu

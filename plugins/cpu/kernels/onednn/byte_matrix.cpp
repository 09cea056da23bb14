#include "kernels/onednn/byte_matrix.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string_view>
#include <utility>

#include "machine/scratch.hpp"
#include "onednn/primitive.hpp"

namespace cpu::onednn {
namespace {

using Type = dnnl::memory::data_type;
using Tag = dnnl::memory::format_tag;
using Description = dnnl::matmul::primitive_desc;

constexpr int64_t usual_rows = 64;

// 64 bytes of every column lie side by side, and so do strips of 64 columns: what AMX and VNNI
// take alike, so that a strip is a matrix of its own.
Desc strip_layout(int64_t rows, int64_t columns) {
  return Desc({rows, columns}, Type::s8, Tag::BA16a64b4a);
}

// Without post-operations oneDNN stores the sums as they are; it is given unsigned rows, since it
// corrects signed ones in float on some processors.
std::optional<Description> describe_product(int64_t count, int64_t rows, int64_t columns) {
  try {
    const Desc right = strip_layout(rows, columns);
    const Desc left({count, rows}, Type::u8, dnnl::memory::dims{rows, 1});
    const Desc sums({count, columns}, Type::s32, dnnl::memory::dims{columns, 1});
    auto made = describe<dnnl::matmul>(with_scratchpad(), left, right, sums);
    if (std::string_view(made.impl_info_str()).starts_with("brg")) return made;
  } catch (const dnnl::error&) {
  }
  return std::nullopt;
}

class BlockedMatrix : public ByteMatrix {
 public:
  BlockedMatrix(const ByteView& view, int64_t rows, int64_t columns)
      : ByteMatrix(rows, columns), packed_bytes_(strip_layout(rows, columns).get_size()) {
    packed_.reset(static_cast<char*>(::operator new(packed_bytes_, std::align_val_t(64))));
    const std::vector<int8_t> elements = read(view);
    const Desc plain({rows, columns}, Type::s8, Tag::ab);
    Reorder(plain, strip_layout(rows, columns)).run(elements.data(), packed_.get());
  }

  uint64_t bytes() const override { return packed_bytes_; }
  // AMX is three times as fast, but only in matrices that are cut up anyway.
  int64_t multiply_adds_per_nanosecond() const override { return 256; }

  void multiply(int64_t count, const uint8_t* left, int64_t step, int64_t column, int64_t columns,
                int32_t* sums) const override {
    set_threads(1);
    const Made& made = product({count, columns});
    const ScratchBytes scratchpad(made.scratchpad_bytes);
    const Scratch<uint8_t> dense(step == rows() ? 0 : count * rows());
    if (step != rows()) {  // which its fast code does not take
      for (int64_t i = 0; i < count; ++i) {
        std::copy_n(left + i * step, rows(), dense.data() + i * rows());
      }
      left = dense.data();
    }
    const int64_t depth = (rows() + 63) / 64 * 64;
    const std::array<const void*, 4> data = {left, packed_.get() + column * depth, sums,
                                             scratchpad.data()};
    made.primitive->run(data);
  }

 private:
  using Made = TeamPrimitive::Made;
  struct Shape {
    int64_t count, columns;
    bool operator==(const Shape&) const = default;
  };
  struct Delete {
    void operator()(char* data) const { ::operator delete(data, std::align_val_t(64)); }
  };

  const Made& product(const Shape& shape) const {
    const std::lock_guard lock(mutex_);
    for (const auto& known : products_) {
      if (known->first == shape) return known->second;
    }
    const auto described = describe_product(shape.count, rows(), shape.columns);
    if (!described) throw sy::bug("oneDNN: no product of bytes of ", shape.count, " rows");
    const Desc scratchpad = described->scratchpad_desc();
    std::vector<Primitive::Argument> arguments = {{DNNL_ARG_SRC, described->src_desc()},
                                                  {DNNL_ARG_WEIGHTS, described->weights_desc()},
                                                  {DNNL_ARG_DST, described->dst_desc()},
                                                  {DNNL_ARG_SCRATCHPAD, scratchpad}};
    Made made{std::make_shared<Primitive>(dnnl::matmul(*described), std::move(arguments)),
              scratchpad.get_size()};
    products_.push_back(std::make_unique<std::pair<Shape, Made>>(shape, std::move(made)));
    return products_.back()->second;
  }

  size_t packed_bytes_;
  std::unique_ptr<char, Delete> packed_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<std::pair<Shape, Made>>> products_;
};

}  // namespace

bool multiplies_bytes() {
  static const bool known = has_instructions(dnnl_cpu_isa_avx512_core_vnni);
  return known;
}

std::shared_ptr<const ByteMatrix> pack_bytes(const ByteView& view, int64_t rows, int64_t columns) {
  const int64_t width = std::min(columns, ByteMatrix::unit);
  if (!describe_product(usual_rows, rows, width)) {
    return pack_byte_pairs(view, rows, columns);
  }
  return std::make_shared<const BlockedMatrix>(view, rows, columns);
}

}  // namespace cpu::onednn

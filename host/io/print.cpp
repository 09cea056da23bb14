#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ostream>
#include <switchyard/print.hpp>
#include <utility>

#include "io/element_texts.hpp"
#include "io/shown_elements.hpp"
#include "tensor/tensor_impl.hpp"

namespace switchyard {
namespace {

constexpr std::size_t kLineWidth = 80;
constexpr std::string_view kPrefix = "tensor(";

/// Lays the elements out in brackets, dimension by dimension.
class Layout {
 public:
  explicit Layout(ShownElements shown) : shown_(std::move(shown)), texts_(shown_.elements) {}

  std::string text() { return shape().empty() ? texts_.texts.front() : block(0, kPrefix.size()); }

 private:
  const Dims& shape() const { return shown_.elements.shape(); }

  std::string block(std::size_t dim, std::size_t indent) {
    if (dim + 1 == shape().size()) return row(dim, indent);
    std::vector<std::string> parts;
    for (std::int64_t i = 0; i < shape()[dim]; ++i) {
      if (shown_.is_cut[dim] && i == ShownElements::kEdge) parts.push_back("...");
      parts.push_back(block(dim + 1, indent + 1));
    }
    const std::string newlines(shape().size() - dim - 1, '\n');
    const std::string between = "," + newlines + std::string(indent + 1, ' ');
    return fmt::format("[{}]", fmt::join(parts, between));
  }

  std::string row(std::size_t dim, std::size_t indent) {
    std::vector<std::string> cells;
    for (std::int64_t i = 0; i < shape()[dim]; ++i) {
      if (shown_.is_cut[dim] && i == ShownElements::kEdge) cells.push_back(" ...");
      cells.push_back(texts_.texts[next_++]);
    }
    const std::size_t room = kLineWidth > indent ? kLineWidth - indent : 0;
    const std::size_t a_line = std::max<std::size_t>(1, room / (texts_.width + 2));
    std::string text = "[";
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (i > 0 && i % a_line == 0) {
        text += ",\n" + std::string(indent + 1, ' ');
      } else if (i > 0) {
        text += ", ";
      }
      text += cells[i];
    }
    return text + "]";
  }

  ShownElements shown_;
  ElementTexts texts_;
  std::size_t next_ = 0;  // the text of the next element, in row-major order
};

std::string size_text(const Dims& shape) {
  return fmt::format("size=({}{})", fmt::join(shape.span(), ", "), shape.size() == 1 ? "," : "");
}

bool goes_without_saying(DType dtype, bool is_empty) {
  if (dtype == DType::float32) return true;
  return !is_empty && (dtype == DType::int64 || dtype == DType::bool_ || dtype == DType::complex64);
}

std::vector<std::string> suffixes_of(const Tensor& tensor, bool is_empty, bool tells_size) {
  std::vector<std::string> suffixes;
  const Device device = tensor.device();
  if (!device.is_host()) suffixes.push_back(fmt::format("device='{}'", device.name()));
  if (tells_size) suffixes.push_back(size_text(tensor.shape()));
  if (!goes_without_saying(tensor.dtype(), is_empty)) {
    suffixes.push_back(fmt::format("dtype={}", name_of(tensor.dtype())));
  }
  TensorImpl& impl = impl_of(tensor);
  if (!impl.history) return suffixes;
  if (const std::string function = impl.history->grad_fn_name(impl); !function.empty()) {
    suffixes.push_back(fmt::format("grad_fn=<{}Backward>", function));
  } else if (impl.history->requires_gradient(impl)) {
    suffixes.emplace_back("requires_grad=True");
  }
  return suffixes;
}

// A suffix that would pass the end of the line goes to the next.
std::string with_suffixes(std::string text, const std::vector<std::string>& suffixes) {
  const std::size_t newline = text.rfind('\n');
  // PyTorch's own count, which is a little more than the column.
  std::size_t column = newline == std::string::npos ? text.size() + 2 : text.size() - newline + 1;
  for (const std::string& suffix : suffixes) {
    if (column + suffix.size() + 2 > kLineWidth) {
      text += ",\n" + std::string(kPrefix.size(), ' ') + suffix;
      column = kPrefix.size() + suffix.size();
    } else {
      text += ", " + suffix;
      column += suffix.size() + 2;
    }
  }
  return text;
}

}  // namespace

std::string to_string(const Tensor& tensor) {
  if (!tensor.defined()) return "tensor()";
  if (element_count(tensor.shape()) == 0) {
    const bool tells_size = tensor.dim() != 1;
    return with_suffixes(std::string(kPrefix) + "[]", suffixes_of(tensor, true, tells_size)) + ")";
  }
  ShownElements shown(tensor);
  const bool shows_none = shown.are_too_many;
  const std::string elements = shows_none ? "..." : Layout(std::move(shown)).text();
  return with_suffixes(std::string(kPrefix) + elements, suffixes_of(tensor, false, shows_none)) +
         ")";
}

std::ostream& operator<<(std::ostream& stream, const Tensor& tensor) {
  return stream << to_string(tensor);
}

std::ostream& operator<<(std::ostream& stream, float16 number) {
  return stream << static_cast<float>(number);
}

std::ostream& operator<<(std::ostream& stream, bfloat16 number) {
  return stream << static_cast<float>(number);
}

std::ostream& operator<<(std::ostream& stream, const Dims& dims) {
  return stream << fmt::format("[{}]", fmt::join(dims.span(), ", "));
}
std::ostream& operator<<(std::ostream& stream, const Device& device) {
  return stream << device.name();
}

std::ostream& operator<<(std::ostream& stream, DType dtype) { return stream << name_of(dtype); }

}  // namespace switchyard

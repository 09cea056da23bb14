#include "onnx/model_inputs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <switchyard/error.hpp>

#include "autograd/mode.hpp"
#include "types/describe.hpp"

namespace switchyard {
namespace {

std::string shape_text(const Port& port) {
  std::string text;
  for (std::size_t d = 0; d < port.shape.size(); ++d) {
    const bool named = d < port.dim_names.size() && !port.dim_names[d].empty();
    text += d == 0 ? "" : ", ";
    text += port.shape[d] >= 0 ? std::to_string(port.shape[d]) : named ? port.dim_names[d] : "?";
  }
  return "[" + text + "]";
}

[[noreturn]] void refuse_value(const Port& port, const std::string& what,
                               ErrorKind kind = ErrorKind::invalid_argument) {
  throw Error(kind, fmt::format("input '{}': {}", port.name, what));
}

/// Free extents of one name must agree over all inputs.
using NamedExtents = std::map<std::string, std::int64_t>;

void check_shape(const Port& port, const Dims& shape, NamedExtents& extents) {
  if (!has_shape_for(port, shape)) {
    refuse_value(
        port,
        fmt::format("shape [{}] does not fit {}", fmt::join(shape.span(), ", "), shape_text(port)),
        ErrorKind::shape_mismatch);
  }
  if (!port.rank_known) return;
  for (std::size_t d = 0; d < shape.size() && d < port.dim_names.size(); ++d) {
    if (port.dim_names[d].empty() || port.shape[d] >= 0) continue;
    const auto [known, is_new] = extents.emplace(port.dim_names[d], shape[d]);
    if (!is_new && known->second != shape[d]) {
      refuse_value(port,
                   fmt::format("extent '{}' is {} here and {} in another input", port.dim_names[d],
                               shape[d], known->second),
                   ErrorKind::shape_mismatch);
    }
  }
}

/// A gradient that would be lost on the way is an error at the start.
TensorRef without_gradient(const Port& port, const Tensor& tensor) {
  if (grad_mode() && tensor.requires_grad()) {
    refuse_value(port,
                 "requires a gradient, which does not flow through a model; run the model "
                 "under NoGrad, or detach() the input");
  }
  return TensorRef(tensor.impl());
}

Cell bind(const Port& port, const NamedValue& value, NamedExtents& extents) {
  if (value.is_sequence) {
    if (port.tensor) refuse_value(port, "takes a tensor, not a sequence");
    auto list = std::make_shared<TensorList>();
    for (const Tensor& item : value.sequence) {
      if (!item.defined())
        refuse_value(port, "holds a sequence with an element that holds no tensor");
      list->push_back(without_gradient(port, item));
    }
    return {{}, std::move(list)};
  }
  if (!value.tensor.defined()) {
    if (port.required) refuse_value(port, "holds no tensor");
    return {};
  }
  if (value.tensor.dtype() != port.dtype && port.dtype != DType::undefined) {
    refuse_value(
        port, fmt::format("takes {}, got {}", name_of(port.dtype), name_of(value.tensor.dtype())));
  }
  if (!port.tensor && port.required) refuse_value(port, "takes a sequence, not a tensor");
  if (port.tensor) check_shape(port, value.tensor.shape(), extents);
  return {without_gradient(port, value.tensor), nullptr};
}

bool is_known(const Port& port) {
  return port.rank_known && std::all_of(port.shape.begin(), port.shape.end(),
                                        [](std::int64_t extent) { return extent >= 0; });
}

}  // namespace

std::size_t position_of(const std::vector<Port>& ports, std::string_view side,
                        std::string_view name) {
  const auto port = std::find_if(ports.begin(), ports.end(),
                                 [&](const Port& candidate) { return candidate.name == name; });
  if (port != ports.end()) return static_cast<std::size_t>(port - ports.begin());
  std::vector<std::string> names;
  for (const Port& known : ports) names.push_back(known.name);
  throw Error(ErrorKind::not_found, fmt::format("the model has no {0} '{1}'; its {0}s are: {2}",
                                                side, name, fmt::join(names, ", ")));
}

void check_position(const std::vector<Port>& ports, std::string_view side, std::size_t position) {
  if (position < ports.size()) return;
  throw Error(ErrorKind::invalid_argument,
              // Signed, so that what a caller wrote as -1 reads so.
              fmt::format("the model has no {} {}; it has {}, counted from 0", side,
                          static_cast<std::int64_t>(position), ports.size()));
}

bool has_shape_for(const Port& port, const Dims& shape) {
  return !port.rank_known ||
         std::ranges::equal(port.shape, shape, [](std::int64_t wanted, std::int64_t extent) {
           return wanted < 0 || wanted == extent;
         });
}

std::vector<Cell> bind_inputs(const std::vector<Port>& ports, std::vector<NamedValue> given) {
  std::vector<Cell> cells(ports.size());
  std::vector<bool> bound(ports.size(), false);
  NamedExtents extents;
  for (const NamedValue& value : given) {
    const std::size_t at = position_of(ports, "input", value.name);
    const Port* port = &ports[at];
    if (bound[at]) refuse_value(*port, "is given twice");
    bound[at] = true;
    cells[at] = bind(*port, value, extents);
  }
  for (std::size_t i = 0; i < ports.size(); ++i) {
    if (!bound[i] && ports[i].required) {
      refuse_value(ports[i], fmt::format("is missing; give {} of shape {}", name_of(ports[i].dtype),
                                         ports[i].rank_known ? shape_text(ports[i]) : "any"));
    }
  }
  return cells;
}

std::vector<NamedValue> zero_inputs(const std::vector<Port>& ports,
                                    const std::map<std::string, Dims>& shapes) {
  for (const auto& [name, shape] : shapes) position_of(ports, "input", name);
  std::vector<NamedValue> values;
  for (const Port& port : ports) {
    const auto given = shapes.find(port.name);
    if (given == shapes.end() && !is_known(port)) {
      if (!port.required) continue;
      refuse_value(port, fmt::format("has the shape {}: say of which shape it shall be",
                                     port.rank_known ? shape_text(port) : "any"));
    }
    if (!port.tensor || port.dtype == DType::string) continue;
    const Dims& shape = given == shapes.end() ? port.shape : given->second;
    if (std::ranges::any_of(shape, [](std::int64_t extent) { return extent < 0; })) {
      refuse_value(port, fmt::format("has no shape {}", describe(shape)));
    }
    values.push_back({port.name, Tensor(make_host_tensor(Literal(port.dtype, shape)).get())});
  }
  return values;
}

}  // namespace switchyard

// Einsum: where no letter is repeated in a term, as a graph of transposes, products and sums,
// joined from left to right; else, and for integers, by kernels/einsum.metal.
#include <algorithm>
#include <array>
#include <string>

#include "ops/building/arguments.hpp"
#include "ops/building/graph_builder.hpp"
#include "ops/dtypes.hpp"
#include "ops/kernel.hpp"
#include "runtime/axes.hpp"
#include "switchyard/plugin/einsum_equation.hpp"

namespace mps {
namespace {

using sy::has_label;
using sy::Label;
using sy::Labels;
using Einsum = sy::EinsumEquation::Bound;

// ---- As a graph

// A node of the graph with a label for each axis.
struct Labelled {
  uint32_t node = 0;
  Labels labels;
};

// How the labels of a pair take part in its product.
struct Roles {
  Labels batch, rows, columns, sums;
};

class EinsumGraph {
 public:
  EinsumGraph(GraphBuilder& graph, const Einsum& einsum) : graph_(graph), einsum_(einsum) {}

  // The inputs' nodes, joined; the axes are the output's.
  uint32_t join_all(const std::vector<uint32_t>& inputs) {
    Labelled so_far;
    for (size_t i = 0; i < inputs.size(); ++i) {
      // Extents of 1 are repeated.
      const Labelled input{graph_.broadcast(inputs[i], shape_of(einsum_.inputs[i])),
                           einsum_.inputs[i]};
      Labels later = einsum_.output;
      for (size_t k = i + 1; k < inputs.size(); ++k) {
        later.insert(later.end(), einsum_.inputs[k].begin(), einsum_.inputs[k].end());
      }
      so_far = i == 0 ? input : joined(so_far, input, later);
    }
    return turned(summed(so_far, einsum_.output), einsum_.output);
  }

 private:
  using Shape = GraphBuilder::Shape;

  Shape shape_of(const Labels& labels) const {
    Shape shape;
    for (const Label label : labels) shape.push_back(einsum_.extents.at(label));
    return shape;
  }
  int64_t count_of(const Labels& labels) const { return sy::element_count(shape_of(labels)); }

  uint32_t turned(const Labelled& from, const Labels& order) {
    std::vector<int64_t> axes;
    for (const Label label : order) {
      axes.push_back(std::find(from.labels.begin(), from.labels.end(), label) -
                     from.labels.begin());
    }
    return graph_.transpose(from.node, axes);
  }

  // Without the labels that are not in `kept`.
  Labelled summed(const Labelled& from, const Labels& kept) {
    seam::Axes axes;
    Labels left;
    Shape shape = graph_.shape(from.node);
    for (size_t i = 0; i < from.labels.size(); ++i) {
      if (has_label(kept, from.labels[i])) {
        left.push_back(from.labels[i]);
      } else {
        axes.axes.push_back(static_cast<int64_t>(i));
        shape[i] = 1;
      }
    }
    if (axes.axes.empty()) return from;
    const uint32_t sum = graph_.add(seam::Operation::sum, shape, {from.node}, std::move(axes));
    return {graph_.reshape(sum, shape_of(left)), left};
  }

  // [batch, first, second], each of all its labels.
  uint32_t stacked(const Labelled& from, const Labels& batch, const Labels& first,
                   const Labels& second) {
    Labels order = batch;
    order.insert(order.end(), first.begin(), first.end());
    order.insert(order.end(), second.begin(), second.end());
    return graph_.reshape(turned(from, order),
                          {count_of(batch), count_of(first), count_of(second)});
  }

  // Without sums: [batch, rows, columns] with extents of 1 for what is not there.
  uint32_t spread(const Labelled& from, const Roles& roles, bool has_rows) {
    return has_rows ? stacked(from, roles.batch, roles.rows, {})
                    : stacked(from, roles.batch, {}, roles.columns);
  }

  Labelled joined(const Labelled& left, const Labelled& right, const Labels& later) {
    Roles roles;
    for (const Label label : left.labels) {
      const bool wanted = has_label(later, label);
      if (has_label(right.labels, label)) {
        (wanted ? roles.batch : roles.sums).push_back(label);
      } else if (wanted) {
        roles.rows.push_back(label);
      }
    }
    for (const Label label : right.labels) {
      if (!has_label(left.labels, label) && has_label(later, label)) {
        roles.columns.push_back(label);
      }
    }
    const Labelled x = summed(left, both(later, right.labels));
    const Labelled y = summed(right, both(later, left.labels));
    const Shape shape = {count_of(roles.batch), count_of(roles.rows), count_of(roles.columns)};
    const uint32_t product = roles.sums.empty()
                                 ? graph_.add(seam::Operation::multiply, shape,
                                              {spread(x, roles, true), spread(y, roles, false)})
                                 : graph_.add(seam::Operation::matrix_product, shape,
                                              {stacked(x, roles.batch, roles.rows, roles.sums),
                                               stacked(y, roles.batch, roles.sums, roles.columns)});
    const Labels labels = both(both(roles.batch, roles.rows), roles.columns);
    return {graph_.reshape(product, shape_of(labels)), labels};
  }

  static Labels both(Labels first, const Labels& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
  }

  GraphBuilder& graph_;
  const Einsum& einsum_;
};

// Narrow floats are rounded at the end alone.
uint32_t lower_einsum(GraphBuilder& graph, const sy::Node& node) {
  std::vector<uint32_t> inputs;
  std::vector<seam::TensorType> types;
  std::vector<sy::Extents> shapes;
  for (uint32_t i = 0; i < node.input_count(); ++i) {
    types.push_back(type_of(node.required_input(i)));
    inputs.push_back(graph.cast(graph.input(node, i), seam::ElementType::float32));
  }
  for (const seam::TensorType& type : types) shapes.emplace_back(type.shape);
  const Einsum einsum = sy::EinsumEquation(node.text("equation")).bind(shapes);
  const uint32_t result = EinsumGraph(graph, einsum).join_all(inputs);
  const seam::TensorType type = type_of(node.required_output(0));
  // A graph's result is none of its inputs.
  if (result == inputs[0]) return graph.add(seam::Operation::reshape, type, {result});
  return graph.cast(graph.reshape(result, type.shape), type.element);
}

bool repeats_a_label(const Labels& labels) {
  return std::any_of(labels.begin(), labels.end(), [&](Label label) {
    return std::count(labels.begin(), labels.end(), label) > 1;
  });
}

void check_einsum_graph(const sy::Node& node) {
  const sy::EinsumEquation equation(node.text("equation"));
  if (std::any_of(equation.terms().begin(), equation.terms().end(), repeats_a_label)) {
    throw sy::unsupported(SY_REASON_ATTRIBUTE, "a term has a letter twice");
  }
  for (uint32_t i = 0; i < node.input_count(); ++i) {
    const sy_value& input = node.required_input(i);
    if (sy::has_known_shape(input) && sy::element_count(sy::shape_of(input)) == 0) {
      throw sy::unsupported(SY_REASON_LIMIT, "input ", i, " has no elements");
    }
  }
}

// ---- By a kernel of our own

constexpr uint32_t most_terms = 3;

// As kernels/einsum.metal reads them.
struct EinsumParameters {
  uint32_t terms = 1;
};

// The strides of an input along labels; of a diagonal, of all its axes together.
sy::Dimensions strides_along(const Labels& along, const Tensor& tensor, const Labels& labels) {
  sy::Dimensions strides;
  if (along.size() > SY_MAX_RANK) {
    throw sy::unsupported(SY_REASON_RANK, "an equation of ", along.size(), " letters");
  }
  for (const Label label : along) {
    int64_t stride = 0;
    for (size_t axis = 0; axis < labels.size(); ++axis) {
      if (labels[axis] == label && tensor.shape[axis] != 1) stride += tensor.strides[axis];
    }
    strides[strides.rank++] = stride;
  }
  return strides;
}

// The labels of the inputs that the output has not, each once.
Labels summed_labels(const Einsum& einsum) {
  Labels labels;
  for (const Labels& input : einsum.inputs) {
    for (const Label label : input) {
      if (!has_label(einsum.output, label) && !has_label(labels, label)) labels.push_back(label);
    }
  }
  return labels;
}

class EinsumKernel final : public Kernel {
 public:
  EinsumKernel(const seam::Pipeline& pipeline, std::string_view equation)
      : pipeline_(pipeline), equation_(equation) {}

  void encode(const Run& run) const override {
    std::vector<sy::Extents> shapes;
    for (const Tensor& input : run.inputs) shapes.push_back(input.shape);
    const Einsum einsum = equation_.bind(shapes);
    const Labels gone = summed_labels(einsum);
    std::array<sy::Dimensions, most_terms> outer_strides, inner_strides;
    std::array<Walked, most_terms + 1> outer, inner;
    const Tensor& output = run.outputs[0];
    const Bound written = bind(output, 3);
    Arguments arguments;
    for (size_t k = 0; k < most_terms; ++k) {
      // What is not there stands for something that is, and is not read.
      const bool is_there = k < run.inputs.size() && run.inputs[k].size() != 0;
      const Bound bound = is_there ? bind(run.inputs[k], 0) : written;
      const size_t term = std::min(k, run.inputs.size() - 1);
      outer_strides[k] = strides_along(einsum.output, run.inputs[term], einsum.inputs[term]);
      inner_strides[k] = strides_along(gone, run.inputs[term], einsum.inputs[term]);
      arguments.add(bound);
      outer[k] = {outer_strides[k].data.data(), bound.offset};
      inner[k] = {inner_strides[k].data.data()};
    }
    outer[3] = {output.strides.data.data(), written.offset};
    const Axes over_output = make_axes(output.shape, outer);
    const Axes over_sums = make_axes(extents_of(einsum, gone), std::span(inner).first(most_terms));
    const EinsumParameters parameters{static_cast<uint32_t>(run.inputs.size())};
    arguments.add(written).add_value(over_output).add_value(over_sums).add_value(parameters);
    arguments.run(run.stream, pipeline_, over_output.count);
  }

 private:
  static std::vector<int64_t> extents_of(const Einsum& einsum, const Labels& labels) {
    std::vector<int64_t> extents;
    for (const Label label : labels) extents.push_back(einsum.extents.at(label));
    return extents;
  }

  const seam::Pipeline& pipeline_;
  const sy::EinsumEquation equation_;
};

Prepared make_einsum(Device& device, const sy::Node& node) {
  const auto& pipeline =
      device.pipeline(std::string("einsum_") + metal_type(node.required_output(0).dtype));
  return {std::make_unique<EinsumKernel>(pipeline, node.text("equation"))};
}

void check_kernel(const sy::Node& node) {
  if (node.input_count() > most_terms) {
    throw sy::unsupported(SY_REASON_ATTRIBUTE, "an equation of ", node.input_count(),
                          " terms, of integers or with a letter twice in one: 3 at most");
  }
}

}  // namespace

std::span<const KernelRow> einsum_rows() {
  static const KernelRow rows[] = {
      {.claim = {.op = "Einsum", .dtypes = float_types, .max_rank = 16},
       .check = check_einsum_graph,
       .lower = lower_einsum},
      {.claim = {.op = "Einsum", .dtypes = number_types},
       .make = make_einsum,
       .check = check_kernel}};
  return rows;
}

}  // namespace mps

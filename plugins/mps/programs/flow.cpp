#include "programs/flow.hpp"

#include <algorithm>
#include <span>

namespace mps {
namespace {

std::span<const uint32_t> inputs_of(const sy::Node& node) {
  return {node.raw().inputs, node.raw().input_count};
}

std::span<const uint32_t> outputs_of(const sy::Node& node) {
  return {node.raw().outputs, node.raw().output_count};
}

bool is_any_needed(const sy::Node& node, const std::vector<bool>& needed) {
  for (const uint32_t value : outputs_of(node)) {
    if (value != SY_ABSENT && needed[value]) return true;
  }
  return false;
}

// Of each value, from the outputs back.
std::vector<bool> needed_values(const Flow& flow) {
  std::vector<bool> needed = flow.is_output;
  for (size_t i = flow.nodes.size(); i-- > 0;) {
    const sy::Node& node = flow.nodes[i];
    if (!is_any_needed(node, needed)) continue;
    for (const uint32_t value : inputs_of(node)) {
      if (value != SY_ABSENT) needed[value] = true;
      if (is_view(node)) break;  // its other inputs are known
    }
  }
  return needed;
}

void add_views(Flow& flow, const sy::Node& node, const std::vector<bool>& needed) {
  const auto outputs = outputs_of(node);
  for (uint32_t k = 0; k < outputs.size(); ++k) {
    if (outputs[k] == SY_ABSENT || !needed[outputs[k]]) continue;
    flow.seen[outputs[k]] = Flow::Seen{inputs_of(node)[0], view_of(node, k)};
  }
}

void add_users(Flow& flow, uint32_t number) {
  for (uint32_t value : inputs_of(flow.nodes[number])) {
    if (value == SY_ABSENT) continue;
    flow.users[value].push_back(number);
    while (flow.seen[value]) {
      value = flow.seen[value]->source;
      flow.users[value].push_back(number);
    }
  }
}

}  // namespace

uint32_t Flow::root(uint32_t value) const {
  while (seen[value]) value = seen[value]->source;
  return value;
}

bool Flow::is_read_beside(uint32_t value, const std::vector<uint32_t>& among) const {
  const auto is_beside = [&](uint32_t user) {
    return std::find(among.begin(), among.end(), user) == among.end();
  };
  return is_shown[value] || std::any_of(users[value].begin(), users[value].end(), is_beside);
}

Flow flow_of(const sy_program& program) {
  const size_t count = program.value_count;
  Flow flow{program, {}, {}, {}, {}, {}, {}, {}};
  flow.maker.resize(count, SY_ABSENT);
  flow.seen.resize(count);
  flow.users.resize(count);
  flow.is_output.resize(count);
  flow.is_shown.resize(count);
  for (uint32_t i = 0; i < program.node_count; ++i) {
    flow.nodes.emplace_back(program, i);
    for (const uint32_t value : outputs_of(flow.nodes.back())) {
      if (value != SY_ABSENT) flow.maker[value] = i;
    }
  }
  for (uint32_t i = 0; i < program.output_count; ++i) flow.is_output[program.outputs[i]] = true;
  const std::vector<bool> needed = needed_values(flow);
  for (uint32_t i = 0; i < program.node_count; ++i) {
    if (!is_any_needed(flow.nodes[i], needed)) continue;
    if (is_view(flow.nodes[i])) {
      add_views(flow, flow.nodes[i], needed);
    } else {
      flow.live.push_back(i);
    }
  }
  for (const uint32_t number : flow.live) add_users(flow, number);
  for (uint32_t i = 0; i < program.output_count; ++i) {
    flow.is_shown[flow.root(program.outputs[i])] = true;
  }
  return flow;
}

bool is_strided_view(const Flow& flow, uint32_t value) {
  std::vector<const View*> views;
  for (; flow.seen[value]; value = flow.seen[value]->source) {
    views.push_back(&flow.seen[value]->view);
  }
  const sy::Extents shape = sy::shape_of(flow.value(value));
  Layout layout{sy::Dimensions(shape), sy::contiguous_strides(shape), 0};
  for (size_t i = views.size(); i-- > 0;) {
    if (!see(*views[i], layout)) return false;
  }
  return true;
}

}  // namespace mps

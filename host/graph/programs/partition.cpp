#include "graph/programs/partition.hpp"

#include <algorithm>
#include <map>
#include <queue>

#include "device/open_device.hpp"
#include "graph/uses.hpp"

namespace switchyard {
namespace {

constexpr std::size_t kNobody = SIZE_MAX;

/// The node that makes each value; kNobody for inputs, constants and captures.
std::vector<std::size_t> find_makers(const Graph& graph) {
  std::vector<std::size_t> makers(graph.values.size(), kNobody);
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    for (const ValueId output : graph.nodes[n].outputs) {
      if (output != kAbsent) makers[output] = n;
    }
  }
  return makers;
}

class Partition {
 public:
  Partition(const Graph& graph, std::span<const Assignment> assignments)
      : graph_(graph), assignments_(assignments), makers_(find_makers(graph)) {}

  /// A node's stage rises along each edge between devices and never falls, so what leaves a stage
  /// of a device does not come back to it: nodes of one device and stage may run at once.
  void join() {
    std::vector<std::size_t> stages(graph_.nodes.size(), 0);
    std::map<std::pair<std::size_t, OpenDevice*>, Part> joined;
    for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
      OpenDevice* const device = assignments_[n].device.get();
      stages[n] = device ? 1 : 0;
      for_each_maker(n, [&](std::size_t maker) {
        const bool same = assignments_[maker].device.get() == device;
        stages[n] = std::max(stages[n], stages[maker] + (same ? 0 : 1));
      });
      if (device) joined[{stages[n], device}].nodes.push_back(n);
    }
    for (auto& [key, part] : joined) {
      part.device = key.second;
      parts_.push_back(std::move(part));
    }
  }

  /// A view costs nothing outside of a program, and in its end it would cost a copy.
  void drop_last_views() {
    for (Part& part : parts_) {
      std::vector<bool> used(graph_.values.size(), false);
      for (std::size_t i = part.nodes.size(); i-- > 0;) {
        const std::size_t n = part.nodes[i];
        const auto& outputs = graph_.nodes[n].outputs;
        const bool is_used = std::any_of(outputs.begin(), outputs.end(), [&](ValueId output) {
          return output != kAbsent && used[output];
        });
        if (assignments_[n].is_view && !is_used) {
          part.nodes.erase(part.nodes.begin() + static_cast<std::ptrdiff_t>(i));
        } else {
          for_each_use(graph_.nodes[n], [&](ValueId value) { used[value] = true; });
        }
      }
    }
  }

  void drop_small_parts() {
    std::erase_if(parts_, [&](const Part& part) {
      return std::count_if(part.nodes.begin(), part.nodes.end(),
                           [&](std::size_t n) { return !assignments_[n].is_view; }) < 2;
    });
  }

  void cut_large_parts() {
    std::vector<Part> cut;
    for (const Part& part : parts_) {
      const std::size_t limit = part.device->info().max_program_nodes;
      const std::size_t step = limit == 0 ? part.nodes.size() : limit;
      for (std::size_t first = 0; first < part.nodes.size(); first += step) {
        const std::size_t end = std::min(first + step, part.nodes.size());
        Part& piece = cut.emplace_back();
        piece.device = part.device;
        piece.nodes.assign(part.nodes.begin() + static_cast<std::ptrdiff_t>(first),
                           part.nodes.begin() + static_cast<std::ptrdiff_t>(end));
      }
    }
    parts_ = std::move(cut);
  }

  /// Every node that no part holds becomes its own; among parts that could come next, the one whose
  /// first node comes first in the graph does.
  std::vector<Part> in_order() {
    std::vector<std::size_t> part_of(graph_.nodes.size(), kNobody);
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      for (const std::size_t n : parts_[p].nodes) part_of[n] = p;
    }
    for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
      if (part_of[n] != kNobody) continue;
      part_of[n] = parts_.size();
      parts_.push_back({nullptr, {n}});
    }
    std::vector<std::vector<std::size_t>> followers(parts_.size());
    std::vector<std::size_t> waits_for(parts_.size(), 0);
    for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
      for_each_maker(n, [&](std::size_t maker) {
        if (part_of[maker] == part_of[n]) return;
        followers[part_of[maker]].push_back(part_of[n]);
        ++waits_for[part_of[n]];
      });
    }
    using Ready = std::pair<std::size_t, std::size_t>;  // first node, part
    std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready;
    const auto is_ready = [&](std::size_t p) { ready.emplace(parts_[p].nodes.front(), p); };
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      if (waits_for[p] == 0) is_ready(p);
    }
    std::vector<Part> ordered;
    while (!ready.empty()) {
      const std::size_t p = ready.top().second;
      ready.pop();
      for (const std::size_t follower : followers[p]) {
        if (--waits_for[follower] == 0) is_ready(follower);
      }
      ordered.push_back(std::move(parts_[p]));
    }
    return ordered;
  }

 private:
  void for_each_maker(std::size_t n, const auto& visit) const {
    for_each_use(graph_.nodes[n], [&](ValueId value) {
      if (makers_[value] != kNobody) visit(makers_[value]);
    });
  }

  const Graph& graph_;
  const std::span<const Assignment> assignments_;
  const std::vector<std::size_t> makers_;
  std::vector<Part> parts_;
};

}  // namespace

std::vector<Part> partition(const Graph& graph, std::span<const Assignment> assignments,
                            bool whole) {
  Partition parts(graph, assignments);
  parts.join();
  if (!whole) {
    parts.drop_last_views();
    parts.drop_small_parts();
  }
  parts.cut_large_parts();
  return parts.in_order();
}

}  // namespace switchyard

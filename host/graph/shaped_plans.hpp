#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <span>
#include <vector>

#include "graph/cell.hpp"
#include "graph/plan.hpp"
#include "tensor/dispatcher.hpp"
#include "trace/quiet_mutex.hpp"

namespace switchyard {

/// A plan for inputs of certain shapes, with the graph that follows from them.
struct ShapedPlan {
  Graph graph;
  std::unique_ptr<GraphPlan> plan;
};

/// Plans of one graph that are made of programs, by the types and shapes of its inputs. A program
/// is prepared for shapes that are all known, so there is a plan for each set of input shapes that
/// comes again: for the first that comes at all, for others when they come for the second time. The
/// last few are kept, until the routing policy is another. Any thread may ask.
class ShapedPlans {
 public:
  /// The plan and all that it refers to must outlive this.
  ShapedPlans(const GraphPlan& general, Dispatcher& dispatcher, std::size_t fold_limit_bytes);

  /// The plan for these inputs; null if there are no programs for them, now or at all.
  std::shared_ptr<const ShapedPlan> find(std::span<const Cell> inputs);

 private:
  struct InputType {
    DType dtype;
    Dims shape;
    bool operator==(const InputType& other) const {
      return dtype == other.dtype && shape == other.shape;
    }
  };
  struct Entry {
    std::vector<InputType> inputs;
    bool is_made = false;                    // else the inputs were seen once
    std::shared_ptr<const ShapedPlan> plan;  // null: no programs
  };

  static std::vector<InputType> types_of(std::span<const Cell> inputs);
  Entry& entry_for(std::vector<InputType> inputs, bool& is_new);
  std::shared_ptr<const ShapedPlan> make(const std::vector<InputType>& inputs) const;
  bool is_healthy() const;
  void go_by_current_policy();  // with guard_

  const GraphPlan& general_;
  Dispatcher& dispatcher_;
  const std::size_t fold_limit_bytes_;
  trace::QuietMutex guard_;
  std::uint64_t policy_number_ = 0;
  bool takes_programs_ = false;      // a device does
  bool takes_whole_models_ = false;  // a device does: then no set of shapes may wait
  std::list<Entry> entries_;         // the most recently used first
};

}  // namespace switchyard

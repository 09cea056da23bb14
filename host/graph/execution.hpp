#pragma once

#include <span>
#include <vector>

#include "config/limits.hpp"
#include "device/interruption.hpp"
#include "graph/plan.hpp"
#include "graph/statistics.hpp"
#include "tensor/dispatcher.hpp"

namespace switchyard {

/// The values of one graph while it runs.
struct Frame {
  explicit Frame(const GraphPlan& plan) : plan(plan), cells(plan.graph->values.size()) {}

  Cell& cell(ValueId value) { return cells[value]; }

  const GraphPlan& plan;
  std::vector<Cell> cells;
};

/// One run of a model: op by op, in order. Used by one thread.
class Execution {
 public:
  struct Options {
    bool profile = false;         // waits after each op, so that its time is its own
    ExpandBody expand = nullptr;  // for ops that no device takes; null: they are errors
    bool count_ops = false;       // by op and device, without times
    std::int64_t iterations = LimitsConfig().iterations;  // the most of all control ops together
    std::uint64_t list_bytes = UINT64_MAX;  // what tensors in lists may take, apart from elements
    Interruption interruption = {};         // what may end it early
    /// By output of the graph that `run` gets: a tensor that the op is to write over if its kernel
    /// can; empty: none. Shares no memory with what the graph reads.
    std::span<const TensorRef> targets = {};
  };

  Execution(Dispatcher& dispatcher, Options options) : dispatcher_(dispatcher), options_(options) {}

  /// Runs a graph on inputs in the order of its own; gives the outputs in theirs.
  std::vector<Cell> run(const GraphPlan& plan, std::span<Cell> inputs);

  /// The same for a body, which captures values of the frame around it.
  std::vector<Cell> run_body(const GraphPlan& plan, std::span<Cell> inputs, Frame& outer);

  /// Before a control op runs its body once more.
  void begin_iteration();

  /// Before a control op cuts a tensor into so many, which go into a list.
  void begin_pieces(std::int64_t count);
  /// Before a control op adds so many tensors to lists, which take memory that no device counts.
  void begin_list_entries(std::int64_t count);

  Dispatcher& dispatcher() { return dispatcher_; }
  RunStatistics& statistics() { return statistics_; }

 private:
  std::vector<Cell> run_frame(Frame& frame);
  void run_step(const NodePlan& node, Frame& frame);
  void run_node(const NodePlan& node, Frame& frame);
  void run_program(const ProgramPlan& program, Frame& frame);
  void call(const NodePlan& node, Frame& frame);
  void set_targets(const NodePlan& node, const Frame& frame, std::span<TensorRef> out) const;
  /// Runs the op's function body in the node's stead.
  void run_expansion(const NodePlan& node, std::span<TensorRef> in, std::span<TensorRef> out);
  /// Identity also takes sequences and optionals, which the host holds. True if this was one.
  bool pass_on_list(const NodePlan& node, Frame& frame);
  void dispatch(const NodePlan& node, std::span<TensorRef> in, std::span<TensorRef> out);
  void count(const NodePlan& node, const CallOutcome& outcome, double milliseconds);
  void record_placement(const OpenDevice& device, std::uint64_t ops);
  void add_to_profile(const NodePlan& node, const std::string& where, double milliseconds);

  Dispatcher& dispatcher_;
  const Options options_;
  RunStatistics statistics_;
  const Graph* graph_of_targets_ = nullptr;
  std::int64_t iterations_ = 0;
  std::int64_t pieces_ = 0;
  std::int64_t list_entries_ = 0;
  std::vector<std::uint64_t*> by_device_;  // into the placement, by the device's number
};

}  // namespace switchyard

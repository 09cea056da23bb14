#pragma once

#include <memory>
#include <string>
#include <vector>

#include <switchyard/model.hpp>

#include "graph/plan.hpp"
#include "graph/shaped_plans.hpp"
#include "graph/specialise.hpp"
#include "onnx/model_file.hpp"
#include "onnx/run/placed_plans.hpp"
#include "tensor/engine.hpp"

namespace switchyard {

/// A model made ready: its graph, the plan over it, and what of it was settled when it was loaded.
struct Model::State {
  std::shared_ptr<Engine> engine;
  std::string name;  // the model's file, for messages
  ModelFile file;
  std::vector<FoldedNode> folded;
  std::unique_ptr<GraphPlan> plan;   // op by op, for inputs of any shapes
  mutable PlacedPlans placed_plans;  // for runs that name their device
  std::unique_ptr<ShapedPlans> shaped_plans;
  std::vector<Port> inputs;
  std::vector<Port> outputs;
};

}  // namespace switchyard

#include "cli/doctor/inspection.hpp"

#include "tensor/engine.hpp"
#include "trace/log.hpp"

namespace switchyard::cli {

Runtime inspect(Config config) {
  const auto level = trace::parse_level(config.host.log_level);
  trace::set_level(level && *level != trace::Level::warn ? *level : trace::Level::error);
  return Runtime(Engine::load(std::move(config)));
}

void check_required(const Runtime& inspected) { inspected.engine()->registry.check_required(); }

}  // namespace switchyard::cli

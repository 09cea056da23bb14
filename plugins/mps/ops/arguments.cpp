#include "ops/arguments.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace mps {

Arguments& Arguments::append(seam::Argument argument) {
  argument.index = count_;
  arguments_[count_++] = std::move(argument);
  return *this;
}

void Arguments::run(Stream& stream, const seam::Pipeline& pipeline, uint32_t threads) const {
  if (threads == 0) return;
  seam::Dispatch dispatch;
  dispatch.pipeline = &pipeline;
  dispatch.arguments = std::span(arguments_).first(count_);
  dispatch.threads = {threads, 1, 1};
  dispatch.group = {std::min({threads, 256u, pipeline.max_threads_per_group()}), 1, 1};
  stream.commands().dispatch(dispatch);
}

void Arguments::run_groups(Stream& stream, const seam::Pipeline& pipeline, uint32_t groups,
                           uint32_t size) const {
  const uint64_t threads = uint64_t{groups} * size;
  if (threads > std::numeric_limits<uint32_t>::max()) {
    throw sy::unsupported(SY_REASON_LIMIT, "more than 4294967295 threads");
  }
  if (threads == 0) return;
  seam::Dispatch dispatch;
  dispatch.pipeline = &pipeline;
  dispatch.arguments = std::span(arguments_).first(count_);
  dispatch.threads = {static_cast<uint32_t>(threads), 1, 1};
  dispatch.group = {size, 1, 1};
  stream.commands().dispatch(dispatch);
}

}  // namespace mps

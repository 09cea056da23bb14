#include "ops/building/arguments.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace mps {

Arguments& Arguments::append(seam::Argument argument) {
  argument.index = count_;
  arguments_[count_++] = std::move(argument);
  return *this;
}

void Arguments::dispatch(Stream& stream, const seam::Pipeline& pipeline, uint32_t threads,
                         uint32_t group) {
  if (faults_) arguments_[*faults_].buffer = stream.faults();
  seam::Dispatch dispatch;
  dispatch.pipeline = &pipeline;
  dispatch.arguments = std::span(arguments_).first(count_);
  dispatch.threads = {threads, 1, 1};
  dispatch.group = {group, 1, 1};
  stream.commands().dispatch(dispatch);
}

void Arguments::run(Stream& stream, const seam::Pipeline& pipeline, uint32_t threads) {
  if (threads == 0) return;
  dispatch(stream, pipeline, threads, std::min({threads, 256u, pipeline.max_threads_per_group()}));
}

void Arguments::run_groups(Stream& stream, const seam::Pipeline& pipeline, uint32_t groups,
                           uint32_t size) {
  const uint64_t threads = uint64_t{groups} * size;
  if (threads > std::numeric_limits<uint32_t>::max()) {
    throw sy::unsupported(SY_REASON_LIMIT, "more than 4294967295 threads");
  }
  if (threads != 0) dispatch(stream, pipeline, static_cast<uint32_t>(threads), size);
}

}  // namespace mps

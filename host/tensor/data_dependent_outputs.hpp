#pragma once

#include <switchyard/plugin.h>

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "device/stream.hpp"
#include "routing/route.hpp"
#include "tensor/tensor_impl.hpp"

namespace switchyard {

/// The outputs of one run whose shape only the run tells: bounded ones, which the plugin writes a
/// part of, and deferred ones, whose storage it asks for while it runs. Outlives the run.
class DataDependentOutputs {
 public:
  DataDependentOutputs(std::string_view op, const RunPlan& plan, OpenStream& stream,
                       std::span<TensorRef> outputs)
      : op_(op), plan_(plan), stream_(stream), outputs_(outputs) {}
  DataDependentOutputs(const DataDependentOutputs&) = delete;
  DataDependentOutputs& operator=(const DataDependentOutputs&) = delete;

  /// Gives the plugin the means to tell extents and to ask for storage, where the plan has such
  /// outputs.
  void prepare(sy_run_args& args);
  /// After the run was enqueued: waits for bounded outputs and cuts them to what was written.
  /// Throws Error(plugin) for extents that there cannot be, and for a deferred output without
  /// storage.
  void finish(std::uint64_t sequence);

  /// Forgets the storage of deferred outputs, for a run that is made again.
  static void drop(const RunPlan& plan, std::span<TensorRef> outputs);

 private:
  bool has_output_of(sy_output_mode mode) const;
  bool may_allocate(std::uint32_t output, std::span<const std::int64_t> shape) const;
  void cut_bounded(std::size_t position);
  void check_deferred() const;
  static sy_status allocate(void* context, std::uint32_t output, std::uint32_t rank,
                            const std::int64_t* shape, sy_storage* storage,
                            std::uint64_t* offset_bytes);

  const std::string_view op_;
  const RunPlan& plan_;
  OpenStream& stream_;
  const std::span<TensorRef> outputs_;
  // By position of the run: where the plugin tells extents; null for outputs that are not bounded.
  std::vector<std::int64_t*> extents_;
  std::vector<std::array<std::int64_t, SY_MAX_RANK>> told_;
  sy_output_allocator allocator_{};
};

}  // namespace switchyard

#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <switchyard/cancellation.hpp>
#include <switchyard/runtime.hpp>
#include <switchyard/tensor.hpp>

namespace switchyard {

/// What a model takes or gives under one name.
struct Port {
  std::string name;                    ///< as the model has it
  DType dtype = DType::undefined;      ///< of the elements, also of those in a sequence
  Dims shape;                          ///< -1 where the extent is free
  std::vector<std::string> dim_names;  ///< of each extent, as "batch"; "" where it has none
  bool rank_known = true;              ///< false: any shape will do, and `shape` says nothing
  bool tensor = true;                  ///< false: a sequence or an optional
  bool required = true;                ///< false: an optional, which a run may leave out
};

/// A value by name: one tensor, or the tensors of a sequence.
struct NamedValue {
  std::string name;                   ///< of an input or an output
  Tensor tensor;                      ///< where it is no sequence
  std::vector<Tensor> sequence = {};  ///< where it is one
  bool is_sequence = false;           ///< which of both counts
};

/// One step on the way to a node's route.
struct TrailEntry {
  std::string plugin;  ///< as the configuration names it
  std::string
      verdict;       ///< supported, refused, denied (may not), depends, unavailable, or see device
  std::string code;  ///< why it was refused, as "DTYPE"; "" if it was not
  std::string reason;  ///< the same for people
};

/// What one node's routing comes to, without running it.
struct NodeExplanation {
  std::string name;        ///< of the node, "" if the model gives none
  std::string op;          ///< its op, as "Conv"
  std::string device;      ///< "" if no device takes it or may; "view", "host", "body": see trail
  bool host_work = false;  ///< computed by the host: shapes, and what is made of them
  std::vector<TrailEntry> trail;  ///< what each plugin said, in the order in which they were asked
  std::size_t program = 0;        ///< nodes of one number run at once, as one program; 0: by itself
};

/// What one run came to.
struct RunReport {
  std::map<std::string, std::uint64_t> placement;  ///< ops by device; host work and views are apart
  std::uint64_t host_work = 0;                     ///< ops that the host computed
  std::uint64_t views = 0;                         ///< ops that made views, without work
  std::uint64_t control = 0;                       ///< ops with graphs of their own: If, Loop, Scan
  std::uint64_t programs = 0;  ///< runs of several nodes at once; their ops are in `placement`
  std::uint64_t folded = 0;    ///< nodes that became constants when the model was loaded
  /// One op on one device.
  struct OpLine {
    std::string op, device;   ///< as "Conv" and "plugin:0"
    std::uint64_t count = 0;  ///< how often it ran
    double time_ms = 0;       ///< of all of them
  };
  std::vector<OpLine> profile;  ///< only if asked for; without times if counts alone were
};

/// A vector, string or span of characters or unsigned bytes.
template <typename List>
concept ByteList = std::ranges::contiguous_range<List> && std::is_class_v<List> &&
    (std::same_as<std::ranges::range_value_t<List>, char> ||
     std::same_as<std::ranges::range_value_t<List>, unsigned char>);

/// An ONNX model, read, checked and made ready for a runtime's devices. Copies share it; any thread
/// may run it, also several at once. Models that were loaded from one unchanged file have its
/// weights in common: the host holds them once, a device of a runtime once, and what a plugin makes
/// of them for its kernels is made once in the process. Weights that loading makes anew, as by
/// folding, are a model's own. They go with the last model that has them; what is then kept for
/// later is bounded by `host.cache_limit`, but for devices that keep memory themselves,
/// which give it back to Device::empty_cache(). `Run` (<switchyard/run.hpp>) is for runs that shall
/// be on a device, write to given outputs or be asynchronous.
class SWITCHYARD_API Model {
 public:
  // Moving copies, so that a handle which was moved from is still one.
  Model(const Model&) = default;
  Model& operator=(const Model&) = default;

  /// Free extents fixed by name: `batch` = 1.
  using FixedDims = std::map<std::string, std::int64_t>;

  /// Throws Error(model) that names the file, the node and how to fix it; Error(not_found) or
  /// Error(io) for a file that cannot be read. What is wrong in a branch of an If is thrown by a
  /// run that takes it; `explain` tells it.
  [[nodiscard]] static Model load(const Runtime& runtime, const std::filesystem::path& file,
                                  const FixedDims& dims = {});
  /// From the bytes of such a file, also in a string or a vector of chars; external data is then
  /// refused, with Error(model).
  /// @{
  [[nodiscard]] static Model from_bytes(const Runtime& runtime, std::span<const std::byte> bytes,
                                        const FixedDims& dims = {});
  template <ByteList Bytes>
  [[nodiscard]] static Model from_bytes(const Runtime& runtime, const Bytes& bytes,
                                        const FixedDims& dims = {}) {
    return from_bytes(runtime, std::as_bytes(std::span(bytes)), dims);
  }
  /// @}

  /// The ports, in the model's order, for as long as a copy of the model lives. An input for which
  /// the file has an initializer is a constant, and no port.
  /// @{
  [[nodiscard]] const std::vector<Port>& inputs() const&;
  [[nodiscard]] const std::vector<Port>& outputs() const&;
  [[nodiscard]] std::vector<Port> inputs() const&& { return inputs(); }
  [[nodiscard]] std::vector<Port> outputs() const&& { return outputs(); }
  /// @}

  /// What one run may ask for.
  struct RunOptions {
    /// What ends the run early; looked at once the inputs are checked, and before each node and
    /// each iteration. Neither a kernel that has begun is broken off nor what a device that works
    /// asynchronously has in its queue: whoever must not wait for results longer than that asks
    /// their device whether they are done. The outputs of a run that was ended are lost; the model
    /// is not.
    const CancellationToken* cancellation = nullptr;
    bool count_ops = false;  ///< counts in `report->profile` which ops ran where, without times
    /// When the run ends, as by `cancellation`.
    std::optional<std::chrono::steady_clock::time_point> deadline = {};
    bool profile = false;         ///< time each op, waiting after it; ops then run one by one
    RunReport* report = nullptr;  ///< filled in if given
  };

  /// Runs the model. On return all ops were run or enqueued: a device that works asynchronously may
  /// still compute the outputs, and reading their elements waits. The results share no memory with
  /// the inputs, with constants of the model or with each other: each may be written to, once it
  /// lies on a device (`to`, where it is a value of the host, as shapes and constants are). No
  /// gradient flows through a model. Where all inputs are values of the host, and work on a device
  /// is found to have failed before the run returns, the run is made again, without that device.
  /// Throws Error(not_found) for an input of an unknown name;
  /// Error(shape_mismatch) for one of a wrong shape, also where only a node finds it, and where
  /// free extents of one name differ; Error(invalid_argument) for one that is missing, is given
  /// twice, has a wrong dtype, is a sequence where a tensor is to be, or the other way round, or
  /// requires a gradient, but under NoGrad; Error(cancelled) and Error(deadline) if the options end
  /// it, and Error(model) where its loops pass limits.iterations together.
  /// @{
  std::vector<NamedValue> run(std::vector<NamedValue> inputs, RunOptions options) const;
  std::vector<NamedValue> run(std::vector<NamedValue> inputs) const {
    return run(std::move(inputs), RunOptions());
    /// @}
  }

  /// Runs the model once with inputs of zeros, and drops what comes out: so that the runs that
  /// follow find their kernels, plans and memory made. `shapes` are by input and may leave out
  /// inputs without free extents, and those that need not be given. Inputs of texts and sequences
  /// are left out, so they must be optional. Throws as `run` does: Error(not_found) for an unknown
  /// name, Error(shape_mismatch) for a shape that does not fit, and Error(invalid_argument) for one
  /// that is left out and needed, or has a negative extent, and for texts and sequences that are
  /// not optional.
  void prepare(const std::map<std::string, Dims>& shapes = {}) const;

  /// Each node's plugins with their verdicts, as far as they can be told without running: shapes
  /// that are still free may change them.
  [[nodiscard]] std::vector<NodeExplanation> explain() const;

  struct State;
  /// For the library's own use.
  [[nodiscard]] const std::shared_ptr<const State>& state() const { return state_; }

 private:
  explicit Model(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  std::shared_ptr<const State> state_;
};

}  // namespace switchyard

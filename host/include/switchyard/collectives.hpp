/// @file
/// Work of several devices together, of one process or of many: their gradients summed up, their
/// tensors put together, sent from one to another.
///
///   // Each of `size` processes; rank 0 made the id and gave it to the others.
///   Communicator ranks(current_device(), id, rank, size);
///   for (const Tensor& parameter : net.parameters()) {
///     ranks.all_reduce_(parameter.grad(), ReduceOp::average);
///   }
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <switchyard/device.hpp>
#include <switchyard/dims.hpp>
#include <switchyard/dtype.hpp>
#include <switchyard/export.hpp>
#include <switchyard/number.hpp>
#include <switchyard/tensor.hpp>
#include <switchyard/text.hpp>

namespace switchyard {

/// How elements of several ranks become one.
enum class ReduceOp : std::int32_t {
  sum = 1,      ///< integers wrap round
  product = 2,  ///< likewise
  minimum = 3,  ///< NaN if any is; of bools their AND
  maximum = 4,  ///< NaN if any is; of bools their OR
  average = 5,  ///< the sum divided by the number of ranks, of floating-point numbers
};

/// What the ranks of one communicator know it by: bytes that one of them makes, and that the
/// program brings to the others, as it likes. It serves for one communicator, once.
class SWITCHYARD_API CommunicatorId {
 public:
  /// A new one, for ranks on devices of this one's plugin. Throws Error(unsupported) where that has
  /// no collectives.
  [[nodiscard]] static CommunicatorId make(const Device& device);
  /// What text() gave, in another process perhaps. Throws Error(invalid_argument) for other texts.
  [[nodiscard]] static CommunicatorId from_text(Text text);
  /// Its bytes as hexadecimal digits, for a command line or an environment variable.
  [[nodiscard]] std::string text() const;

  /// Whether both are the same id.
  [[nodiscard]] friend bool operator==(const CommunicatorId&, const CommunicatorId&) = default;

  /// For the library's own use.
  /// @{
  static constexpr std::size_t kBytes = 128;
  [[nodiscard]] const std::array<std::uint8_t, kBytes>& bytes() const { return bytes_; }
  /// @}

 private:
  CommunicatorId() = default;

  std::array<std::uint8_t, kBytes> bytes_{};
};

/// What a new communicator is to be.
struct CommunicatorOptions {
  /// The longest that a rank waits for others without getting on, when it joins and in collectives
  /// later. Zero: for ever.
  std::chrono::milliseconds timeout = std::chrono::minutes(10);
};

/// One rank's end of a communicator, which joins devices of one plugin. Cheap to copy; copies are
/// the same rank, and the last one that goes waits for the rank's work, unless abort() has ended
/// it. Keeps its device open. Any thread may use it; calls of several threads take turns, and it is
/// the program that sees to their order.
///
/// All ranks make the same collectives in the same order, with tensors of the same dtype and number
/// of elements, the same reduction and root; sends are matched with receives in order. Where ranks
/// disagree and the plugin can tell, the collective is an Error(invalid_argument) on every rank.
/// Where one is gone, was aborted, or comes too late, it is an Error(peer_lost) on the others, when
/// the timeout has passed at the latest; devices that work asynchronously tell at the next wait,
/// as when a result is read. A communicator that has failed stays so: make another.
///
/// On an asynchronous device the functions return when the work is enqueued, on this thread's
/// current stream, and results are used like any other; what comes behind on that stream, whoever
/// enqueues it, waits for the other ranks too. On a synchronous one they return when the
/// other ranks have come too. One thread calls for more than one rank in a CollectiveGroup alone:
/// else it may wait for a rank that it has yet to call for.
///
/// Tensors lie on the rank's device; what is not contiguous is copied. No gradient flows through:
/// an input or target that requires one is an Error(invalid_argument), but under NoGrad, and so is
/// a target that cannot be written to in place. A dtype that the plugin does not take is an
/// Error(unsupported). Shapes that do not fit are an Error(shape_mismatch).
class SWITCHYARD_API Communicator {
 public:
  /// Whether the device's plugin has collectives, as the configuration loads it: plugins in a
  /// process of their own (`isolation`) or behind the validation layer (`validate`) show none.
  [[nodiscard]] static bool is_available(const Device& device);

  /// Joins as one of `size` ranks, from 0 on, and waits for the others. Throws Error(unsupported)
  /// where is_available() is false or the plugin joins fewer ranks, Error(invalid_argument) for a
  /// rank out of range, one that is taken, or another size than others say, Error(peer_lost) where
  /// the others do not come in time.
  Communicator(const Device& device, const CommunicatorId& id, Int rank, Int size,
               const CommunicatorOptions& options = {});
  /// A communicator within this process: rank i on devices[i], all different and of one plugin.
  /// Throws as the constructor does.
  [[nodiscard]] static std::vector<Communicator> all(std::span<const Device> devices,
                                                     const CommunicatorOptions& options = {});

  // Moving copies, so that a handle which was moved from is still one.
  Communicator(const Communicator&) = default;
  Communicator& operator=(const Communicator&) = default;

  /// The rank's device, its number, and how many there are.
  /// @{
  [[nodiscard]] Device device() const;
  [[nodiscard]] int rank() const;
  [[nodiscard]] int size() const;
  /// @}

  /// The elements of all ranks' tensors, which have one shape, reduced: the same bits on every
  /// rank. The first gives a new tensor, the second writes over its argument.
  /// @{
  [[nodiscard]] Tensor all_reduce(const Tensor& tensor, ReduceOp reduction = ReduceOp::sum) const;
  void all_reduce_(const Tensor& tensor, ReduceOp reduction = ReduceOp::sum) const;
  /// @}

  /// The tensors of all ranks, one after another along the first dimension: [n, ...] becomes
  /// [size * n, ...], and a scalar [size]. The second writes to `output`, of that shape.
  /// @{
  [[nodiscard]] Tensor all_gather(const Tensor& tensor) const;
  void all_gather_into(const Tensor& output, const Tensor& tensor) const;
  /// @}

  /// The elements of all ranks' tensors reduced, of which this rank gets its part: [size * n, ...]
  /// becomes [n, ...]. The second writes to `output`, of that shape.
  /// @{
  [[nodiscard]] Tensor reduce_scatter(const Tensor& tensor,
                                      ReduceOp reduction = ReduceOp::sum) const;
  void reduce_scatter_into(const Tensor& output, const Tensor& tensor,
                           ReduceOp reduction = ReduceOp::sum) const;
  /// @}

  /// The elements of the rank `root`, written over the tensor of every other rank.
  void broadcast_(const Tensor& tensor, Int root) const;

  /// Elements to another rank, which receives as many of the same dtype; or from one, as a new
  /// tensor on this rank's device or written over one.
  /// @{
  void send(const Tensor& tensor, Int to) const;
  [[nodiscard]] Tensor receive(const Dims& shape, DType dtype, Int from) const;
  void receive_(const Tensor& tensor, Int from) const;
  /// @}

  /// Ends the work of this rank, and with it that of the others, in an Error(peer_lost). Any thread
  /// may call it while others wait. For what the others learn see above.
  void abort() const;
  /// Throws what the communicator has failed with, if it has; waits for nothing.
  void check() const;

  struct State;
  /// For the library's own use.
  /// @{
  explicit Communicator(std::shared_ptr<State> state) : state_(std::move(state)) {}
  [[nodiscard]] const std::shared_ptr<State>& state() const { return state_; }
  /// @}

 private:
  std::shared_ptr<State> state_;
};

/// Collectives that begin together: what this thread calls while it lives is enqueued by run(), all
/// at once, so that one thread may call for several ranks, and ranks may send to each other. The
/// communicators are of one plugin. Until run() nothing happens, and without it nothing ever does;
/// so functions that give a new tensor are an Error(invalid_argument), and those that write to one
/// take their place.
///
///   CollectiveGroup group;
///   for (std::size_t i = 0; i < ranks.size(); ++i) ranks[i].all_reduce_(gradients[i]);
///   group.run();
class SWITCHYARD_API CollectiveGroup {
 public:
  /// Throws Error(invalid_argument) within another.
  [[nodiscard]] CollectiveGroup();
  /// In the thread that made it.
  ~CollectiveGroup();
  CollectiveGroup(const CollectiveGroup&) = delete;
  CollectiveGroup& operator=(const CollectiveGroup&) = delete;

  /// Enqueues what was called, and ends the group. Throws what the collectives throw; then none was
  /// enqueued, but on a synchronous device. Throws Error(invalid_argument) where two of them touch
  /// elements that one writes, or where it has run.
  void run();

  struct State;

 private:
  std::unique_ptr<State> state_;
};

}  // namespace switchyard

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "routing/router.hpp"
#include "tensor/placement.hpp"
#include "tensor/tensor_impl.hpp"

namespace switchyard {

/// Who did the work of a call.
enum class Worker : std::uint8_t {
  nobody,  // a view, or a literal, which follows from shapes
  host,    // shape arithmetic, and kernels that programs registered
  device,
};

/// What one call came to, for statistics.
struct CallOutcome {
  Worker worker = Worker::nobody;
  const OpenDevice* device = nullptr;  // of a device's work
};

/// Whose the references to a call's inputs are.
enum class Inputs : std::uint8_t {
  given,     // the call's: what has no other owner may give its memory to an output
  borrowed,  // the caller's, uncounted; all lie contiguous on the device asked for, which the call
             // neither changes nor takes
};

/// Carries calls out: routes them, brings their inputs along, runs them. The one path for eager ops
/// and for the nodes of graphs. Any thread may call it.
class Dispatcher {
 public:
  explicit Dispatcher(Router& router) : router_(router) {}

  Router& router() { return router_; }

  /// Runs one op. Inputs that are left out are empty; an input whose reference is the only one may
  /// give its memory to an output. Outputs whose bit in `wanted` is set are filled in. An output
  /// that is there already is written over where the kernel can write to it, else replaced by
  /// another.
  CallOutcome call(const CallSite& site, std::span<TensorRef> inputs, std::span<TensorRef> outputs,
                   std::uint64_t wanted, Inputs ownership = Inputs::given);

 private:
  void call_view(const CallSite& site, std::span<TensorRef> inputs, std::span<TensorRef> outputs);
  void call_literal(const CallSite& site, std::span<TensorRef> inputs,
                    std::span<TensorRef> outputs);
  /// On a device, or where none takes a registered op, by its kernel on the host.
  CallOutcome call_somewhere(const CallSite& site, std::span<TensorRef> inputs,
                             std::span<TensorRef> outputs, std::uint64_t wanted, Inputs ownership);
  CallOutcome call_device(const CallSite& site, std::span<TensorRef> inputs,
                          std::span<TensorRef> outputs, std::uint64_t wanted, Inputs ownership);
  std::shared_ptr<const Route> find_route(const CallSite& site, std::span<const TensorRef> inputs,
                                          std::span<const Literal> literals,
                                          std::size_t output_count, std::uint64_t wanted,
                                          std::span<const Exclusion> excluded);

  Router& router_;
};

/// What a call's rules see of its inputs; literals of host inputs by input number, or empty.
std::vector<ValueInfo> value_infos(std::span<const TensorRef> inputs,
                                   std::span<const Literal> literals);

/// The values of the call's host inputs, read to the host; undefined literals elsewhere.
std::vector<Literal> read_host_inputs(const Op& op, std::span<const TensorRef> inputs);

}  // namespace switchyard

// oneDNN's primitives as this plugin runs them. Everything of oneDNN stays in this folder, so that
// what versions 2 and 3 do differently stays here too.
#pragma once

#include <switchyard/plugin.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <oneapi/dnnl/dnnl.hpp>
#include <span>
#include <string>
#include <vector>

#include "machine/parallel.hpp"
#include "machine/work_time.hpp"
#include "switchyard/plugin/shape.hpp"

namespace cpu::onednn {

using Desc = dnnl::memory::desc;

const dnnl::engine& engine();

// The description of an operation. `arguments` are what oneDNN 3 takes between its engine and its
// attributes; oneDNN 2 makes a description without them first.
template <typename Operation, typename... Arguments>
typename Operation::primitive_desc describe(const dnnl::primitive_attr& attributes,
                                            const Arguments&... arguments) {
#if DNNL_VERSION_MAJOR >= 3
  return {engine(), arguments..., attributes};
#else
  return {typename Operation::desc(arguments...), attributes, engine()};
#endif
}

// The same for a gradient, which oneDNN asks the description of the operation itself for.
template <typename Operation, typename Forward, typename... Arguments>
typename Operation::primitive_desc describe_gradient(const dnnl::primitive_attr& attributes,
                                                     const Forward& forward,
                                                     const Arguments&... arguments) {
#if DNNL_VERSION_MAJOR >= 3
  return {engine(), arguments..., forward, attributes};
#else
  return {typename Operation::desc(arguments...), attributes, engine(), forward};
#endif
}

// oneDNN's name for a dtype; throws sy::unsupported if it has none.
dnnl::memory::data_type type_of(sy_dtype dtype);

// A dense or strided tensor. Null strides are contiguous.
Desc desc_of(sy_dtype dtype, sy::Extents shape, const int64_t* strides = nullptr);

// For a constant's packed form: equal for equal layouts only.
std::string layout_name(const Desc& desc);

// True if oneDNN may use these instructions here.
bool has_instructions(dnnl_cpu_isa_t wanted);

// True where the processor multiplies bfloat16 itself (AMX, AVX512_BF16). Elsewhere oneDNN would
// convert on the way, as our own products do.
bool multiplies_bfloat16();

// True on AMX: where oneDNN cuts the sums of a product then depends on the number of threads.
bool splits_sums();

// The team that oneDNN makes primitives for, and runs them on, when the calling thread asks from
// now on. Its choice of code depends on it.
void set_threads(int threads);

// True for what oneDNN computes without vector code; ours is better then.
bool is_reference(const char* implementation);

// A primitive whose arguments come with each run. Any number of threads may run it at once.
class Primitive {
 public:
  struct Argument {
    int index;  // DNNL_ARG_*
    Desc desc;
  };

  Primitive(dnnl::primitive primitive, std::vector<Argument> arguments);
  ~Primitive();
  Primitive(const Primitive&) = delete;
  Primitive& operator=(const Primitive&) = delete;

  // Pointers in the order of the arguments; all stay valid until it returns. What oneDNN writes to
  // follows from the arguments, so that no type says which pointers are to be written through.
  void run(std::span<const void* const> data) const;

 private:
  struct Binding;  // memory objects of one run
  std::unique_ptr<Binding> take() const;
  void give_back(std::unique_ptr<Binding> binding) const;

  dnnl::primitive primitive_;
  std::vector<Argument> arguments_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Binding>> idle_;
};

class Reorder;

// A primitive made for the whole team, and another for a caller who finds the team busy: oneDNN
// fixes the number of threads when a primitive is made.
class TeamPrimitive {
 public:
  struct Made {
    std::shared_ptr<const Primitive> primitive;
    uint64_t scratchpad_bytes = 0;
    std::shared_ptr<const Reorder> weights = {};  // copies the second argument first
    uint64_t weight_bytes = 0;                    // of the copy
  };

  // `make` is called at once, and `make_for_one` perhaps later, from any thread. With `small` there
  // is only one primitive, for one thread. From `work` follows at first whether the team is of use.
  // What `sums` over threads waits for the team, so that each run gives the same. The scratchpad is
  // the last of the arguments.
  TeamPrimitive(bool small, const Work& work, const std::function<Made()>& make,
                std::function<Made()> make_for_one, bool sums = false);

  uint64_t scratchpad_bytes() const { return team_.scratchpad_bytes; }
  // The last pointer is the scratchpad's, of scratchpad_bytes. With `packed` the second one, and
  // what it points at, are the same in every run, so that a copy for one thread is made once.
  void run(std::span<const void*> data, bool packed = false) const;

 private:
  const Made& alone() const;
  void run_on_team(const TeamTurn& turn, std::span<const void* const> data) const;
  void run_alone(std::span<const void*> data, bool packed) const;
  const void* weights_for_one(const Made& made, const void* packed) const;
  std::chrono::nanoseconds time_alone(int threads) const;

  bool small_, sums_;
  int64_t estimate_;  // nanoseconds alone
  std::function<Made()> make_for_one_;
  Made team_;
  mutable std::atomic<int64_t> least_on_team_{INT64_MAX}, least_alone_{INT64_MAX};  // nanoseconds
  mutable std::once_flag once_, weights_once_;
  mutable Made alone_;
  mutable std::shared_ptr<void> weights_;  // a copy for one thread
};

// Primitives write to scratch memory that the caller gives.
dnnl::primitive_attr with_scratchpad();

// A multiplication of what was computed.
void append_scaling(dnnl::post_ops& after, float factor);

// Copies between layouts.
class Reorder {
 public:
  Reorder(const Desc& from, const Desc& to);
  void run(const void* from, void* to) const;

 private:
  TeamPrimitive primitive_;
};

// A constant in the layout `to`, made once for each layout. `from` describes its bytes.
std::shared_ptr<const void> packed_in(const sy_value& constant, const Desc& from, const Desc& to);

}  // namespace cpu::onednn

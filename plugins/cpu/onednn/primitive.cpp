#include "onednn/primitive.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <utility>

#include "machine/parallel.hpp"
#include "machine/scratch.hpp"
#include "run/packed.hpp"
#include "switchyard/plugin/dtype.hpp"
#include "switchyard/plugin/guard.hpp"

#ifdef SWITCHYARD_CPU_OPENMP
#include <omp.h>
#endif

namespace cpu::onednn {
namespace {

thread_local constinit dnnl::stream* own_stream = nullptr;

struct StreamOwner {
  ~StreamOwner() {
    delete own_stream;
    own_stream = nullptr;
  }
};

// What computes in a destructor after the thread's own makes another one, which nobody deletes.
dnnl::stream& thread_stream() {
  static thread_local const StreamOwner owner;
  if (own_stream == nullptr) own_stream = new dnnl::stream(engine());
  return *own_stream;
}

void must(dnnl_status_t status, const char* what) {
  if (status == dnnl_success) return;
  if (status == dnnl_out_of_memory) throw sy::out_of_memory("oneDNN: ", what);
  throw sy::bug("oneDNN: ", what, " failed with status ", static_cast<int>(status));
}

}  // namespace

const dnnl::engine& engine() {
  static const auto* const only = new dnnl::engine(dnnl::engine::kind::cpu, 0);
  return *only;
}

dnnl::memory::data_type type_of(sy_dtype dtype) {
  using Type = dnnl::memory::data_type;
  switch (dtype) {
    case SY_FLOAT32: return Type::f32;
    case SY_BFLOAT16: return Type::bf16;
    case SY_INT32: return Type::s32;
    case SY_INT8: return Type::s8;
    case SY_UINT8: return Type::u8;
    default: throw sy::unsupported(SY_REASON_DTYPE, "oneDNN has no ", sy::dtype_name(dtype));
  }
}

Desc desc_of(sy_dtype dtype, sy::Extents shape, const int64_t* strides) {
  const sy::Dimensions own = sy::strides_or_contiguous(shape, strides);
  const dnnl::memory::dims extents(shape.begin(), shape.end());
  const dnnl::memory::dims steps(own.data.begin(), own.data.begin() + own.rank);
  return Desc(extents, type_of(dtype), steps);
}

std::string layout_name(const Desc& desc) {
#if DNNL_VERSION_MAJOR >= 3
  const std::vector<uint8_t> bytes = Desc(desc).get_blob();  // not const
  return std::string(bytes.begin(), bytes.end());
#else
  return std::string(reinterpret_cast<const char*>(&desc.data), sizeof(desc.data));
#endif
}

bool is_reference(const char* implementation) {
  const std::string_view name = implementation;
  return name.starts_with("ref") || name.starts_with("simple");
}

// Each set of instructions has the bits of those that it includes.
bool has_instructions(dnnl_cpu_isa_t wanted) {
  static const int known = static_cast<int>(dnnl::get_effective_cpu_isa());
  return (known & wanted) == static_cast<int>(wanted);
}

bool multiplies_bfloat16() { return has_instructions(dnnl_cpu_isa_avx512_core_bf16); }

bool splits_sums() { return has_instructions(dnnl_cpu_isa_avx512_core_amx); }

void set_threads(int threads) {
#ifdef SWITCHYARD_CPU_OPENMP
  if (omp_get_max_threads() != threads) omp_set_num_threads(threads);
#else
  static_cast<void>(threads);
#endif
}

// ---- Primitive

struct Primitive::Binding {
  std::vector<dnnl::memory> memories;
  std::vector<const void*> data;  // what the memories point at
  std::vector<dnnl_exec_arg_t> arguments;
};

Primitive::Primitive(dnnl::primitive primitive, std::vector<Argument> arguments)
    : primitive_(std::move(primitive)), arguments_(std::move(arguments)) {}

Primitive::~Primitive() = default;

std::unique_ptr<Primitive::Binding> Primitive::take() const {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      std::unique_ptr<Binding> binding = std::move(idle_.back());
      idle_.pop_back();
      return binding;
    }
  }
  auto binding = std::make_unique<Binding>();
  for (const Argument& argument : arguments_) {
    binding->memories.emplace_back(argument.desc, engine(), nullptr);
    binding->arguments.push_back({argument.index, binding->memories.back().get()});
    binding->data.push_back(nullptr);
  }
  return binding;
}

void Primitive::give_back(std::unique_ptr<Binding> binding) const {
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(binding));
}

void Primitive::run(std::span<const void* const> data) const {
  std::unique_ptr<Binding> binding = take();
  for (size_t i = 0; i < data.size(); ++i) {
    if (data[i] == binding->data[i])
      continue;  // setting it anew would write the padding's zeros again
    binding->data[i] = data[i];
    must(dnnl_memory_set_data_handle(binding->arguments[i].memory, const_cast<void*>(data[i])),
         "set_data_handle");
  }
  must(dnnl_primitive_execute(primitive_.get(), thread_stream().get(),
                              static_cast<int>(binding->arguments.size()),
                              binding->arguments.data()),
       "execute");
  give_back(std::move(binding));
}

// ---- TeamPrimitive

namespace {

std::chrono::nanoseconds time_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::steady_clock::now() - start;
}

// Who comes between may be forgotten: it is only an estimate.
void lower(std::atomic<int64_t>& least, int64_t value) {
  if (value < least.load(std::memory_order_relaxed)) least.store(value, std::memory_order_relaxed);
}

std::shared_ptr<void> aligned_bytes(size_t bytes) {
  return {::operator new(bytes, std::align_val_t(64)),
          [](void* data) { ::operator delete(data, std::align_val_t(64)); }};
}

}  // namespace

TeamPrimitive::TeamPrimitive(bool small, const Work& work, const std::function<Made()>& make,
                             std::function<Made()> make_for_one, bool sums)
    : small_(small),
      sums_(sums),
      estimate_(work.nanoseconds()),
      make_for_one_(std::move(make_for_one)) {
  set_threads(small ? 1 : thread_count());
  team_ = make();
}

const TeamPrimitive::Made& TeamPrimitive::alone() const {
  std::call_once(once_, [this] {
    set_threads(1);
    alone_ = make_for_one_();
  });
  return alone_;
}

// oneDNN does not say how long the caller waited. So the fastest run alone is the measure, once
// there was one; before that the estimate, which may be too low for the processor or the shape, but
// not more than the threads can have shared.
std::chrono::nanoseconds TeamPrimitive::time_alone(int threads) const {
  constexpr int64_t generosity = 4;
  const int64_t alone = least_alone_.load(std::memory_order_relaxed);
  if (alone != INT64_MAX) return std::chrono::nanoseconds(alone);
  const int64_t most = threads * least_on_team_.load(std::memory_order_relaxed);
  return std::chrono::nanoseconds(std::min(most, generosity * estimate_));
}

void TeamPrimitive::run_on_team(const TeamTurn& turn, std::span<const void* const> data) const {
  const auto start = std::chrono::steady_clock::now();
  team_.primitive->run(data);
  const auto taken = time_since(start);
  lower(least_on_team_, taken.count());
  turn.note(time_alone(turn.threads()), taken);
}

// Between such layouts oneDNN copies slowly: a network's weights take longer than all of its work.
const void* TeamPrimitive::weights_for_one(const Made& made, const void* packed) const {
  std::call_once(weights_once_, [&] {
    std::shared_ptr<void> copy = aligned_bytes(made.weight_bytes);
    made.weights->run(packed, copy.get());
    weights_ = std::move(copy);
  });
  return weights_.get();
}

void TeamPrimitive::run_alone(std::span<const void*> data, bool packed) const {
  const Made& made = alone();
  if (made.weights && packed) data[1] = weights_for_one(made, data[1]);
  const auto start = std::chrono::steady_clock::now();
  const bool needs_more = made.scratchpad_bytes > team_.scratchpad_bytes;
  const ScratchBytes more(needs_more ? made.scratchpad_bytes : 0);
  if (needs_more) data.back() = more.data();
  const bool copies = made.weights && !packed;
  const ScratchBytes weights(copies ? made.weight_bytes : 0);
  if (copies) {
    made.weights->run(data[1], weights.data());
    data[1] = weights.data();
  }
  set_threads(1);
  made.primitive->run(data);
  lower(least_alone_, time_since(start).count());
}

void TeamPrimitive::run(std::span<const void*> data, bool packed) const {
  if (small_) {
    set_threads(1);
    return team_.primitive->run(data);
  }
  const TeamTurn turn(sums_);
  if (turn.threads() > 1) return run_on_team(turn, data);
  if (thread_count() == 1) return team_.primitive->run(data);
  run_alone(data, packed);
}

void append_scaling(dnnl::post_ops& after, float factor) {
  constexpr auto linear = dnnl::algorithm::eltwise_linear;
#if DNNL_VERSION_MAJOR >= 3
  after.append_eltwise(linear, factor, 0);
#else
  after.append_eltwise(1, linear, factor, 0);
#endif
}

dnnl::primitive_attr with_scratchpad() {
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attributes;
}

// ---- Reorder

namespace {

constexpr size_t small_copy_bytes = 256 * 1024;

TeamPrimitive::Made make_reorder(const Desc& from, const Desc& to) {
  const dnnl::reorder::primitive_desc made(engine(), from, engine(), to, with_scratchpad());
  const Desc scratchpad = made.scratchpad_desc();
  return {std::make_shared<Primitive>(
              dnnl::reorder(made),
              std::vector<Primitive::Argument>{
                  {DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}, {DNNL_ARG_SCRATCHPAD, scratchpad}}),
          scratchpad.get_size()};
}

}  // namespace

Reorder::Reorder(const Desc& from, const Desc& to)
    : primitive_(
          from.get_size() <= small_copy_bytes,
          Work{0, static_cast<int64_t>(from.get_size() + to.get_size())},
          [&] { return make_reorder(from, to); }, [from, to] { return make_reorder(from, to); }) {}

void Reorder::run(const void* from, void* to) const {
  const ScratchBytes scratchpad(primitive_.scratchpad_bytes());
  std::array<const void*, 3> data = {from, to, scratchpad.data()};
  primitive_.run(data);
}

std::shared_ptr<const void> packed_in(const sy_value& constant, const Desc& from, const Desc& to) {
  const std::string form = "onednn/" + layout_name(from) + layout_name(to);
  return packed_constant(constant.constant_id, form, [&]() -> std::shared_ptr<const void> {
    const std::shared_ptr<void> made = aligned_bytes(to.get_size());
    Reorder(from, to).run(constant.data, made.get());
    return made;
  });
}

}  // namespace cpu::onednn

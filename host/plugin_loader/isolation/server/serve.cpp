#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <functional>
#include <type_traits>
#include <utility>

#include "plugin_loader/isolation/handshake.hpp"
#include "plugin_loader/isolation/server/server.hpp"
#include "plugin_loader/isolation/server/server_lane.hpp"

namespace switchyard::isolation {
namespace {

sy_status ask_for_storage(void* context, std::uint32_t output, std::uint32_t rank,
                          const std::int64_t* shape, sy_storage* storage,
                          std::uint64_t* offset_bytes) {
  auto& lane = *static_cast<ServerLane*>(context);
  if (rank > SY_MAX_RANK) return SY_INVALID;
  MessageWriter writer(lane);
  writer.put(output);
  writer.put(rank);
  writer.put_bytes(shape, rank * sizeof(*shape), alignof(std::int64_t));
  const auto reply = lane.ask<AllocateReply>(Handover::allocate, writer.size());
  *storage = reply.storage;
  *offset_bytes = reply.offset_bytes;
  return reply.status;
}

sy_status write_to_host(void* context, const char* text, std::uint64_t size_bytes) {
  auto& lane = *static_cast<ServerLane*>(context);
  MessageWriter writer(lane);
  writer.put(size_bytes);
  writer.put_bytes(text, size_bytes, 1);
  return lane.ask<std::int32_t>(Handover::write, writer.size());
}

/// Serves the calls of one lane.
class LaneServer {
 public:
  LaneServer(ServedPlugin& plugin, LaneState& lane) : plugin_(plugin), lane_(lane) {
    for_each_slot([&](Call call, auto, auto api_slot, auto) {
      serving_[static_cast<std::size_t>(call)] = serving(api_slot);
    });
    set(Call::load, [this] {
      serve<LoadArgs>([&](LoadArgs& args, sy_error&) { return plugin_.load(args), SY_OK; });
    });
    set(Call::enter, [this] {
      serve<EnterArgs>([&](EnterArgs& args, sy_error&) { return plugin_.enter(args), SY_OK; });
    });
    set(Call::probe, [this] {
      serve<sy_probe_args>([&](auto& args, sy_error& error) { return plugin_.probe(args, error); });
    });
    set(Call::compile, [this] {
      serve<sy_compile_args>(
          [&](auto& args, sy_error& error) { return plugin_.compile(args, error); });
    });
    set(Call::infer_shapes, [this] {
      serve<InferArgs>(
          [&](auto& args, sy_error& error) { return plugin_.infer_shapes(args, error); });
    });
  }

  void run() {
    for (;;) {
      lane_.await_turn();
      lane_here = &lane_;
      serving_.at(lane_.call())();
      lane_here = nullptr;
      scratch_.clear();
    }
  }

 private:
  using Serving = std::function<void()>;

  void set(Call call, Serving serving) {
    serving_[static_cast<std::size_t>(call)] = std::move(serving);
  }

  template <typename Args>
  Serving serving(const PluginFunction<Args> PluginApi::*slot) {
    return [this, slot] {
      serve<Args>([&](Args& args, sy_error& error) {
        const sy_status status = (plugin_.api().*slot)(&args, &error);
        if constexpr (std::is_same_v<Args, sy_create_stream_args>) {
          if (status == SY_OK) name_stream(args);
        }
        return status;
      });
    };
  }

  static void name_stream(sy_create_stream_args& args) {
    if (args.stream == nullptr) return;
    args.stream = reinterpret_cast<sy_stream>(new ServedStream{args.stream, args.completed});
  }

  template <typename Args, typename Function>
  void serve(Function&& function) {
    const Call call = static_cast<Call>(lane_.call());
    ServedContext context{plugin_.host(), plugin_.listener(), &writer_, &allocator_};
    Args args{};
    set_size(args);
    sy_error error{};
    error.struct_size = sizeof(error);
    RequestReader request(lane_.request(), scratch_, context);
    carry(request, args);
    const sy_status status = function(args, error);
    if (call == Call::destroy_stream) delete std::exchange(context.stream, nullptr);
    std::uint64_t completed = progress_of(context.stream);
    if constexpr (std::is_same_v<Args, sy_wait_args>) {
      // A counter may be behind what a wait has found.
      if (status == SY_OK) completed = std::max(completed, args.sequence);
    }
    answer(args, status, error, completed);
  }

  std::uint64_t progress_of(const ServedStream* stream) {
    if (stream == nullptr) return 0;
    if (stream->completed != nullptr) return __atomic_load_n(stream->completed, __ATOMIC_ACQUIRE);
    sy_completed_args args{};
    args.struct_size = sizeof(args);
    args.stream = stream->stream;
    return plugin_.api().completed(&args, nullptr) == SY_OK ? args.sequence : 0;
  }

  template <typename Args>
  void answer(Args& args, sy_status status, const sy_error& error, std::uint64_t completed) {
    MessageWriter writer(lane_);
    writer.put<std::int32_t>(status);
    writer.put(completed);
    if (status == SY_OK) {
      AnswerWriter answering(writer);
      carry(answering, args);
    } else {
      const std::uint64_t size = ::strnlen(error.message, sizeof(error.message));
      writer.put<std::int32_t>(error.reason);
      writer.put(size);
      writer.put_bytes(error.message, size, 1);
    }
    lane_.hand_over(Handover::answer, writer.size());
  }

  ServedPlugin& plugin_;
  ServerLane lane_;
  Scratch scratch_;
  const sy_writer writer_ = {sizeof(sy_writer), 0, &lane_, write_to_host};
  const sy_output_allocator allocator_ = {sizeof(sy_output_allocator), 0, &lane_, ask_for_storage};
  std::array<Serving, static_cast<std::size_t>(Call::count)> serving_;
};

}  // namespace

void serve_lane(ServedPlugin& plugin, LaneState& lane) { LaneServer(plugin, lane).run(); }

}  // namespace switchyard::isolation

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "plugin_loader/failure.hpp"
#include "plugin_loader/isolation/element.hpp"
#include "plugin_loader/isolation/handshake.hpp"
#include "plugin_loader/isolation/refuse.hpp"
#include "plugin_loader/isolation/server/server.hpp"
#include "plugin_loader/isolation/server/server_lane.hpp"
#include "plugin_loader/option_text.hpp"
#include "plugin_loader/shared_library.hpp"

namespace switchyard::isolation {
namespace {

constexpr int kLostExit = 4;  // 0, 2 and 3 are those of server_main.cpp

/// What the op says of a node's outputs.
sy_status take_shape(void* context, std::uint32_t output, std::uint32_t rank,
                     const std::int64_t* shape) {
  auto& args = *static_cast<InferArgs*>(context);
  if (output >= args.output_count || rank > SY_MAX_RANK) return SY_INVALID;
  InferredShape& inferred = args.shapes[output];
  inferred.is_known = 1;
  inferred.rank = rank;
  std::copy_n(shape, rank, inferred.extents);
  return SY_OK;
}

template <typename Step>
void refusing(std::deque<std::string>& texts, Refusal& refusal, Step&& step) {
  try {
    step();
  } catch (const LoadError& error) {
    refusal.problem = static_cast<std::int32_t>(error.failure().problem);
    refusal.reason = texts.emplace_back(error.failure().reason).c_str();
    refusal.remedy = texts.emplace_back(error.failure().remedy).c_str();
  }
}

}  // namespace

void ServedPlugin::load(LoadArgs& args) {
  refusing(refusals_, args.refusal, [&] {
    services_ = std::make_unique<PluginServices>(
        args.plugin, args.library, parse_options(args.options == nullptr ? "" : args.options),
        args.thread_limit);
    host_ = services_->host();
    host_.context = this;
    host_.log = log;
    entry_ = open_library(args.library);
  });
}

void ServedPlugin::enter(EnterArgs& args) {
  refusing(refusals_, args.refusal, [&] {
    table_ = enter_plugin(entry_, host_);
    api_.emplace(table_->slots);
    for_each_slot([&](Call call, auto, auto, auto slot) {
      if (table_->slots.*slot != nullptr) args.slots |= std::uint64_t{1} << static_cast<int>(call);
    });
    // The host fills in defaults; of these it has to know that they are none.
    const auto lacks = [&](std::initializer_list<Call> calls) {
      for (const Call call : calls) args.slots &= ~(std::uint64_t{1} << static_cast<int>(call));
    };
    if (!table_->has_events) {
      lacks({Call::create_event, Call::destroy_event, Call::record_event, Call::wait_for_event,
             Call::wait_event});
    }
    if (!table_->has_release_constant) lacks({Call::release_constant});
    if (!table_->has_elapsed_time) lacks({Call::elapsed_time});
    if (!table_->has_workspace) lacks({Call::workspace});
    args.name = table_->slots.name;
    args.version = table_->slots.version;
    args.build = table_->slots.build;
    list_ops(args);
  });
}

void ServedPlugin::list_ops(EnterArgs& args) {
  for (const sy_extension* link = table_->slots.extensions; link != nullptr; link = link->next) {
    if (link->kind == SY_EXTENSION_KERNEL_COMPILER &&
        link->struct_size >= sizeof(sy_kernel_compiler)) {
      compiler_ = reinterpret_cast<const sy_kernel_compiler*>(link);
      args.language = compiler_->language == nullptr ? "" : compiler_->language;
    } else if (link->kind == SY_EXTENSION_OPS && link->struct_size >= sizeof(sy_op_list)) {
      const auto& list = *reinterpret_cast<const sy_op_list*>(link);
      for (std::uint32_t i = 0; i < list.count; ++i) ops_.push_back({element(list.ops, i)});
    }
  }
  args.ops = ops_.data();
  args.op_count = static_cast<std::uint32_t>(ops_.size());
}

sy_status ServedPlugin::probe(sy_probe_args& args, sy_error& error) try {
  ProbeResult result = probe_plugin(*table_);
  const std::lock_guard lock(guard_);
  auto& [kept, infos] = probed_.emplace_back(ProbeAnswer{std::move(result), {}});
  for (const ProbedDevice& device : kept.devices) {
    infos.push_back(device.info);
    infos.back().struct_size = sizeof(sy_device_info);
    infos.back().claim_count = static_cast<std::uint32_t>(device.claims.size());
  }
  args.built = kept.built ? 1 : 0;
  args.available = kept.available ? 1 : 0;
  args.reason = kept.reason;
  args.message = kept.message.c_str();
  args.devices = infos.data();
  args.device_count = static_cast<std::uint32_t>(infos.size());
  return SY_OK;
} catch (const LoadError& failure) {
  return refuse(&error, SY_BUG, SY_REASON_NONE, failure.what());
}

sy_status ServedPlugin::infer_shapes(InferArgs& args, sy_error& error) {
  if (args.op >= ops_.size()) return refuse(&error, SY_BUG, SY_REASON_NONE, "there is no such op");
  sy_infer_shapes_args asked{};
  asked.struct_size = sizeof(asked);
  asked.program = args.program;
  asked.context = &args;
  asked.set_shape = take_shape;
  return PluginFunction<sy_infer_shapes_args>(ops_[args.op].op.infer_shapes)(&asked, &error);
}

sy_status ServedPlugin::compile(sy_compile_args& args, sy_error& error) {
  if (compiler_ == nullptr)
    return refuse(&error, SY_UNSUPPORTED, SY_REASON_NONE, "it compiles no kernels");
  return PluginFunction<sy_compile_args>(compiler_->compile)(&args, &error);
}

// Every call that is under way, and the next one of each other kind, then finds the device lost.
void ServedPlugin::end_as_lost(void* context, const char* message) {
  log(context, SY_LOG_ERROR, message == nullptr ? "a device is lost" : message);
  std::_Exit(kLostExit);
}

// A thread that serves a call tells the host's thread, so that messages keep their order; others
// write to the socket.
void ServedPlugin::log(void* context, sy_log_level level, const char* message) {
  auto& self = *static_cast<ServedPlugin*>(context);
  if (message == nullptr) return;
  const std::size_t size = std::min<std::size_t>(std::strlen(message), kMostLogBytes);
  if (ServerLane* const lane = lane_here) {
    MessageWriter writer(*lane);
    writer.put<std::int32_t>(level);
    writer.put<std::uint64_t>(size);
    writer.put_bytes(message, size, 1);
    lane->ask<std::int32_t>(Handover::log, writer.size());
    return;
  }
  const LogHeader header{level, static_cast<std::uint32_t>(size)};
  std::string text(reinterpret_cast<const char*>(&header), sizeof(header));
  text.append(message, size);
  const std::lock_guard lock(self.guard_);
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t now = ::send(self.socket_, text.data() + sent, text.size() - sent, kNoSignal);
    if (now <= 0) return;  // the host has gone, and so will this process
    sent += static_cast<std::size_t>(now);
  }
}

}  // namespace switchyard::isolation

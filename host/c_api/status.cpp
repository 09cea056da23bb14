#include <atomic>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <type_traits>

#include "c_api/guarded.hpp"

/// Lies in one block with its texts, so that making one fails in one way only.
struct swy_status {
  std::atomic<std::uint32_t> references;
  swy_error_kind kind;
  int is_retryable;
  const char *message, *device, *op, *plugin_code;
};
static_assert(std::is_trivially_destructible_v<swy_status>, "release frees the block alone");

namespace switchyard::c_api {
namespace {

/// For a host without memory for a status. Never freed.
constinit swy_status no_memory = {
    {1}, SWY_ERROR_OUT_OF_MEMORY, 0, "there is no host memory left", "", "", ""};

/// Numbers of the C API are its own: a kind that is put among others in C++ changes none of them.
/// Without a default, so that the compiler tells of a new kind.
swy_error_kind number_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::invalid_argument: return SWY_ERROR_INVALID_ARGUMENT;
    case ErrorKind::shape_mismatch: return SWY_ERROR_SHAPE_MISMATCH;
    case ErrorKind::not_found: return SWY_ERROR_NOT_FOUND;
    case ErrorKind::io: return SWY_ERROR_IO;
    case ErrorKind::config: return SWY_ERROR_CONFIG;
    case ErrorKind::model: return SWY_ERROR_MODEL;
    case ErrorKind::plugin: return SWY_ERROR_PLUGIN;
    case ErrorKind::out_of_memory: return SWY_ERROR_OUT_OF_MEMORY;
    case ErrorKind::unsupported: return SWY_ERROR_UNSUPPORTED;
    case ErrorKind::device_unavailable: return SWY_ERROR_DEVICE_UNAVAILABLE;
    case ErrorKind::device_lost: return SWY_ERROR_DEVICE_LOST;
    case ErrorKind::transient: return SWY_ERROR_TRANSIENT;
    case ErrorKind::cancelled: return SWY_ERROR_CANCELLED;
    case ErrorKind::deadline: return SWY_ERROR_DEADLINE;
    case ErrorKind::peer_lost: return SWY_ERROR_PEER_LOST;
    case ErrorKind::internal: return SWY_ERROR_INTERNAL;
  }
  return SWY_ERROR_INTERNAL;
}

/// Writes a text with its end to `position`, and moves on behind it.
const char* put(char*& position, std::string_view text) {
  char* const start = position;
  std::memcpy(start, text.data(), text.size());
  start[text.size()] = '\0';
  position += text.size() + 1;
  return start;
}

struct Texts {
  std::string_view message, device = "", op = "", plugin_code = "";
};

swy_status* make(swy_error_kind kind, bool is_retryable, const Texts& texts) noexcept {
  const std::size_t bytes =
      texts.message.size() + texts.device.size() + texts.op.size() + texts.plugin_code.size() + 4;
  void* block = std::malloc(sizeof(swy_status) + bytes);
  if (block == nullptr) return &no_memory;
  char* position = static_cast<char*>(block) + sizeof(swy_status);
  return new (block) swy_status{{1},
                                kind,
                                is_retryable ? 1 : 0,
                                put(position, texts.message),
                                put(position, texts.device),
                                put(position, texts.op),
                                put(position, texts.plugin_code)};
}

}  // namespace

swy_status* make_status(swy_error_kind kind, std::string_view message) noexcept {
  return make(kind, false, {.message = message});
}

swy_status* status_of_exception() noexcept {
  try {
    throw;
  } catch (const Error& error) {
    return make(number_of(error.kind()), error.is_retryable(),
                {error.what(), error.device(), error.op(), error.plugin_code()});
  } catch (const std::bad_alloc&) {
    return &no_memory;
  } catch (const std::exception& error) {
    return make_status(SWY_ERROR_INTERNAL, error.what());
  } catch (...) {
    return make_status(SWY_ERROR_INTERNAL, "an exception that is not one of the library");
  }
}

}  // namespace switchyard::c_api

swy_error_kind swy_status_kind(const swy_status* status) {
  return status ? status->kind : static_cast<swy_error_kind>(SWY_OK);
}

const char* swy_status_message(const swy_status* status) { return status ? status->message : ""; }
const char* swy_status_device(const swy_status* status) { return status ? status->device : ""; }
const char* swy_status_op(const swy_status* status) { return status ? status->op : ""; }
const char* swy_status_plugin_code(const swy_status* status) {
  return status ? status->plugin_code : "";
}

int swy_status_is_retryable(const swy_status* status) { return status ? status->is_retryable : 0; }

void swy_status_retain(swy_status* status) {
  if (status) status->references.fetch_add(1, std::memory_order_relaxed);
}

void swy_status_release(swy_status* status) {
  if (status == nullptr || status == &switchyard::c_api::no_memory) return;
  if (status->references.fetch_sub(1, std::memory_order_acq_rel) == 1) std::free(status);
}

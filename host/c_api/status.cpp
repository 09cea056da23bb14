#include <atomic>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <type_traits>

#include "c_api/guarded.hpp"

/// Lies in one block with its text, so that making one fails in one way only.
struct swy_status {
  std::atomic<std::uint32_t> references;
  swy_error_kind kind;
  const char* message;
};
static_assert(std::is_trivially_destructible_v<swy_status>, "release frees the block alone");

namespace switchyard::c_api {
namespace {

/// For a host without memory for a status. Never freed.
constinit swy_status no_memory = {{1}, SWY_ERROR_OUT_OF_MEMORY, "there is no host memory left"};

/// Numbers of the C API are its own: a kind that is put among others in C++ changes none of them.
/// Without a default, so that the compiler tells of a new kind.
swy_error_kind number_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage: return SWY_ERROR_INVALID_ARGUMENT;
    case ErrorKind::config: return SWY_ERROR_CONFIG;
    case ErrorKind::model: return SWY_ERROR_MODEL;
    case ErrorKind::plugin: return SWY_ERROR_PLUGIN;
    case ErrorKind::out_of_memory: return SWY_ERROR_OUT_OF_MEMORY;
    case ErrorKind::unsupported: return SWY_ERROR_UNSUPPORTED;
    case ErrorKind::device: return SWY_ERROR_DEVICE;
    case ErrorKind::internal: return SWY_ERROR_INTERNAL;
    case ErrorKind::cancelled: return SWY_ERROR_CANCELLED;
    case ErrorKind::deadline: return SWY_ERROR_DEADLINE;
  }
  return SWY_ERROR_INTERNAL;
}

}  // namespace

swy_status* make_status(swy_error_kind kind, std::string_view message) noexcept {
  void* block = std::malloc(sizeof(swy_status) + message.size() + 1);
  if (block == nullptr) return &no_memory;
  char* text = static_cast<char*>(block) + sizeof(swy_status);
  std::memcpy(text, message.data(), message.size());
  text[message.size()] = '\0';
  return new (block) swy_status{{1}, kind, text};
}

swy_status* status_of_exception() noexcept {
  try {
    throw;
  } catch (const Error& error) {
    return make_status(number_of(error.kind()), error.what());
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

void swy_status_retain(swy_status* status) {
  if (status) status->references.fetch_add(1, std::memory_order_relaxed);
}

void swy_status_release(swy_status* status) {
  if (status == nullptr || status == &switchyard::c_api::no_memory) return;
  if (status->references.fetch_sub(1, std::memory_order_acq_rel) == 1) std::free(status);
}

#include "entry.hpp"

#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>

#include "behaviour.hpp"
#include "clash.hpp"
#include "table.hpp"

namespace fake {

namespace {

sy_status fail(sy_error* error, sy_status status, const char* message) {
  if (error != nullptr) {
    error->status = status;
    error->reason = SY_REASON_NONE;
    std::strncpy(error->message, message, sizeof(error->message) - 1);
    error->message[sizeof(error->message) - 1] = '\0';
  }
  return status;
}

// Not even a sanitizer sees it coming.
__attribute__((no_sanitize("undefined"))) void crash() {
  volatile int* volatile nowhere = nullptr;
  *nowhere = 1;
}

void hang() { std::this_thread::sleep_for(std::chrono::hours(1)); }

}  // namespace

sy_status act(Act what, sy_error* error) {
  switch (what) {
    case Act::works: return SY_OK;
    case Act::prints: std::puts("the fake prints on purpose"); return SY_OK;
    case Act::fails: return fail(error, SY_TRANSIENT, "the fake fails on purpose");
    case Act::throws: throw std::runtime_error("the fake throws on purpose");
    case Act::throws_number: throw 42;
    case Act::crashes: crash(); return SY_OK;
    case Act::aborts: std::abort();
    case Act::exits: std::_Exit(7);
    case Act::hangs: hang(); return SY_OK;
  }
  return SY_OK;
}

void block_if_asked(std::string_view entry) {
  if (entry != behaviour.blocking) return;
  const char* const file = std::getenv("SWITCHYARD_FAKE_BLOCKS_UNTIL");
  if (file == nullptr || *file == '\0') return;
  const std::string path = file;  // another may be named meanwhile
  while (::access(path.c_str(), F_OK) != 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

namespace {

[[maybe_unused]] const sy_status loaded = act(behaviour.loading, nullptr);

[[maybe_unused]] sy_status probe(sy_probe_args* args, sy_error* error) {
  const sy_status status = act(behaviour.probe, error);
  if (status != SY_OK) return status;
  args->built = 1;
  args->available = behaviour.available ? 1 : 0;
  args->reason = behaviour.available ? SY_REASON_NONE : SY_REASON_OS;
  args->message = behaviour.available ? "" : "there is no fake device in this machine; plug one in";
  args->devices = device_infos();
  args->device_count = behaviour.devices;
  return SY_OK;
}

}  // namespace

sy_status enter(sy_entry_args* args, sy_error* error) {
  const bool is_asked = !lies(Lie::ignores_versions);
  if (is_asked && args->max_version < behaviour.speaks) {
    return fail(error, SY_UNSUPPORTED, "this plugin speaks ABI 0.3 to 0.4");
  }
  if (is_asked && args->min_version > behaviour.speaks) {
    return fail(error, SY_UNSUPPORTED, "this plugin speaks ABI 0.1");
  }
  const sy_status status = act(behaviour.entry, error);
  if (status != SY_OK) return status;
  static sy_plugin table = make_table(probe);
  table.build = clashing_symbol();
  if (behaviour.gives_table) args->plugin = &table;
  return SY_OK;
}

}  // namespace fake

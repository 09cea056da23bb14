#include "c_api/arguments.hpp"
#include "c_api/guarded.hpp"
#include "c_api/objects.hpp"

using switchyard::Runtime;
using namespace switchyard::c_api;

uint32_t swy_api_version() { return SWY_API_VERSION; }

swy_status* swy_runtime_open(swy_runtime** out_runtime) {
  return guarded([&] {
    swy_runtime*& out = required(out_runtime, "out_runtime");
    out = new swy_runtime(Runtime());
  });
}

swy_status* swy_runtime_open_file(const char* file, swy_runtime** out_runtime) {
  return guarded([&] {
    swy_runtime*& out = required(out_runtime, "out_runtime");
    out = new swy_runtime(Runtime::from_file(&required(file, "file")));
  });
}

swy_status* swy_runtime_open_text(const char* toml, swy_runtime** out_runtime) {
  return guarded([&] {
    swy_runtime*& out = required(out_runtime, "out_runtime");
    out = new swy_runtime(Runtime::from_text(&required(toml, "toml")));
  });
}

swy_status* swy_runtime_reload(swy_runtime* runtime) {
  return guarded([&] { required(runtime, "runtime").value.reload(); });
}

swy_status* swy_runtime_reload_file(swy_runtime* runtime, const char* file) {
  return guarded(
      [&] { required(runtime, "runtime").value.reload_from_file(&required(file, "file")); });
}

swy_status* swy_runtime_reload_text(swy_runtime* runtime, const char* toml) {
  return guarded(
      [&] { required(runtime, "runtime").value.reload_from_text(&required(toml, "toml")); });
}

void swy_runtime_retain(swy_runtime* runtime) { retain(runtime); }
void swy_runtime_release(swy_runtime* runtime) { release(runtime); }

swy_status* swy_runtime_device(swy_runtime* runtime, const char* name, swy_device** out_device) {
  return guarded([&] {
    const Runtime& from = required(runtime, "runtime").value;
    swy_device*& out = required(out_device, "out_device");
    out = new swy_device(from.device(&required(name, "name")));
  });
}

swy_status* swy_runtime_default_device(swy_runtime* runtime, swy_device** out_device) {
  return guarded([&] {
    const Runtime& from = required(runtime, "runtime").value;
    swy_device*& out = required(out_device, "out_device");
    out = new swy_device(from.default_device());
  });
}

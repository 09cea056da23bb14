// What a runtime tells of itself, as JSON with the keys that the program prints.
#include <nlohmann/json.hpp>

#include "c_api/arguments.hpp"
#include "c_api/guarded.hpp"
#include "c_api/objects.hpp"
#include "c_api/text.hpp"
#include "io/runtime_json.hpp"

using namespace switchyard::c_api;

namespace switchyard::c_api {
namespace {

using Json = nlohmann::ordered_json;

/// What plugins say of themselves need not be UTF-8.
char* json_for_caller(const Json& json) {
  return text_for_caller(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace
}  // namespace switchyard::c_api

swy_status* swy_runtime_devices_json(swy_runtime* runtime, char** out_json) {
  return guarded([&] {
    const switchyard::Runtime& from = required(runtime, "runtime").value;
    char*& out = required(out_json, "out_json");
    out = json_for_caller({{"plugins", switchyard::json_of(from.plugins())}});
  });
}

swy_status* swy_runtime_fallbacks_json(swy_runtime* runtime, char** out_json) {
  return guarded([&] {
    const switchyard::Runtime& from = required(runtime, "runtime").value;
    char*& out = required(out_json, "out_json");
    out = json_for_caller(switchyard::json_of(from.fallbacks()));
  });
}

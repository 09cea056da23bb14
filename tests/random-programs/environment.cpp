#include "environment.hpp"

#include "onnx/small_models.hpp"

namespace switchyard::random_programs {
namespace {

Conditions late(const std::string& name, const std::string& options, bool may_fail = false) {
  const std::string section = fmt::format(
      "[plugins.late.options]\nkernels = \"{}\"\ndelay_microseconds = 60\n{}\n"
      "[plugins.cpu.options]\nthreads = 1\n",
      plugin_library("cpu").string(), options);
  return {.name = name,
          .setup = {{"late", "cpu"}, "fallback = \"allow\"", section, {}, {"late", "cpu"}},
          .devices = {"late:0", "late:1"},
          .has_streams = true,
          .may_fail = may_fail};
}

Conditions metal(const std::string& name, const std::string& memory) {
  const std::string section = fmt::format(
      "[plugins.mps.options]\ndevice = \"software\"\nsoftware.memory = \"{}\"\n"
      "[plugins.cpu.options]\nthreads = 1\n",
      memory);
  return {.name = name,
          .setup = {{"mps", "cpu"}, "fallback = \"allow\"", section, {}, {"mps", "cpu"}},
          .devices = {"mps:0", "cpu:0"},
          .has_streams = true,
          .may_fail = false};
}

// Weights that are packed, an output that is an input, and one whose size the values tell.
constexpr std::string_view model_text = R"(
g (float[N, 4] x) => (float[N, 3] y, float[N, 4] z, float[N, 4] same, int64[2, C] places)
<float[4, 3] w = {0.5, -1, 0.25, 1, 0.125, -0.5, -0.25, 0.75, 1, 0.5, -0.5, 0.25}> {
  h = MatMul (x, w)
  y = Tanh (h)
  z = Add (x, x)
  same = Identity (x)
  r = Relu (x)
  places = NonZero (r)
})";

Model load_model(const Runtime& runtime) {
  const std::string bytes = onnx::encode(model_of(model_text));
  return Model::from_bytes(runtime, bytes_of(bytes));
}

}  // namespace

const Conditions& plain() {
  static const Conditions conditions = {
      .name = "plain",
      .setup = {{"cpu"}, "", "[plugins.cpu.options]\nthreads = 1\n"},
      .devices = {"cpu:0", "cpu:0"},
      .has_streams = false,
  };
  return conditions;
}

const std::vector<Conditions>& environments() {
  static const std::vector<Conditions> all = {
      late("opaque", ""),
      late("opaque_without_events", "has_events = false"),
      late("opaque_with_a_counter", "shows_counter = true"),
      late("opaque_in_batches", "batch = 100"),
      late("mappable", "memory = \"mappable\""),
      late("address", "memory = \"address\""),
      late("importing", "imports_host_memory = true"),
      late("caching", "caches_memory = true"),
      late("caching_with_a_counter", "caches_memory = true\nshows_counter = true\nbatch = 20"),
      late("refusing", "refused = 100"),
      late("failing_for_now", "transient = 10", true),
      late("short_of_memory", "out_of_memory = 20", true),
      late("short_of_memory_that_it_caches", "out_of_memory = 20\ncaches_memory = true", true),
      late("failing_to_wait", "waits = 200\ncaches_memory = true", true),
      late("failing_late", "late = 3", true),
      late("failing_late_with_memory_that_it_caches", "late = 3\ncaches_memory = true", true),
      metal("metal_in_software", "unified"),
      metal("discrete_metal_in_software", "discrete"),
      {.name = "template_and_cpu",
       .setup = {{"template", "cpu"},
                 "fallback = \"allow\"",
                 "[plugins.template.options]\ndelay_microseconds = 20\n",
                 {},
                 {"template", "cpu"}},
       .devices = {"template:0", "cpu:0"}},
      {.name = "template_c_and_cpu",
       .setup = {{"template_c", "cpu"}, "fallback = \"allow\"", "", {}, {"template_c", "cpu"}},
       .devices = {"template_c:0", "cpu:0"}},
      {.name = "cpu", .setup = {{"cpu"}, "", "", {}, {"cpu"}}, .devices = {"cpu:0", "cpu:0"}},
  };
  return all;
}

Environment::Environment(const Conditions& made_of)
    : conditions(made_of), runtime(start(made_of.setup)), model(load_model(runtime)) {
  for (const std::string& name : conditions.devices) devices.push_back(runtime.device(name));
  for (const Device& device : devices) {
    std::vector<Stream>& own = streams_.emplace_back();
    own.push_back(current_stream(device));
    while (own.size() < kStreams) {
      own.push_back(conditions.has_streams ? Stream(device) : own.front());
    }
  }
}

std::unique_ptr<StreamScope> Environment::on_stream(std::size_t device, std::size_t stream) const {
  if (!conditions.has_streams || stream == 0) return nullptr;
  return std::make_unique<StreamScope>(streams_[device][stream]);
}

std::vector<std::shared_ptr<const Plugin>> Environment::plugins() const {
  std::vector<std::shared_ptr<const Plugin>> loaded;
  for (const auto& entry : runtime.engine()->registry.entries()) {
    loaded.push_back(entry->result.plugin);
  }
  return loaded;
}

}  // namespace switchyard::random_programs

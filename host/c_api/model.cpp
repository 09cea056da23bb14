#include "c_api/model.hpp"

#include <fmt/format.h>

#include <map>
#include <string>
#include <string_view>
#include <switchyard/error.hpp>

#include "c_api/arguments.hpp"
#include "c_api/guarded.hpp"
#include "onnx/model_inputs.hpp"

using switchyard::Dims;
using switchyard::Error;
using switchyard::ErrorKind;
using switchyard::Model;
using switchyard::Port;
using namespace switchyard::c_api;

namespace switchyard::c_api {
namespace {

Model::FixedDims fixed_dims_of(const swy_model_options* options) {
  Model::FixedDims dims;
  if (options == nullptr) return dims;
  check_struct_size(options->struct_size, sizeof(*options), "swy_model_options");
  const std::size_t count = options->fixed_dim_count;
  const auto names = array_of(options->fixed_dim_names, count, "options.fixed_dim_names");
  const auto extents = array_of(options->fixed_dim_extents, count, "options.fixed_dim_extents");
  for (std::size_t i = 0; i < count; ++i) {
    const std::string name = &required(names[i], "options.fixed_dim_names[i]");
    if (!dims.emplace(name, extents[i]).second) {
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("options.fixed_dim_names has '{}' twice", name));
    }
  }
  return dims;
}

std::vector<swy_model::DimNames> dim_names_of(const std::vector<Port>& ports) {
  std::vector<swy_model::DimNames> names;
  for (const Port& port : ports) {
    swy_model::DimNames& of_port = names.emplace_back(port.shape.size(), "");
    for (std::size_t d = 0; d < port.dim_names.size(); ++d) of_port[d] = port.dim_names[d].c_str();
  }
  return names;
}

void describe_port(const std::vector<Port>& ports, const std::vector<swy_model::DimNames>& names,
                   std::string_view side, std::size_t index, swy_port* out_port) {
  swy_port& out = required(out_port, "out_port");
  check_struct_size(out.struct_size, sizeof(out), "swy_port");
  check_position(ports, side, index);
  const Port& port = ports[index];
  out.flags = 0;
  if (port.tensor) out.flags |= SWY_PORT_TENSOR;
  if (port.required && side == "input") out.flags |= SWY_PORT_REQUIRED;
  out.name = port.name.c_str();
  out.shape = port.shape.data();
  out.rank = port.rank_known ? static_cast<std::uint32_t>(port.shape.size()) : SWY_UNKNOWN_RANK;
  out.dtype = static_cast<swy_dtype>(port.dtype);
  out.dim_names = names[index].data();
}

}  // namespace
}  // namespace switchyard::c_api

swy_model::swy_model(Model model)
    : Counted(std::move(model)),
      input_dim_names(dim_names_of(value.inputs())),
      output_dim_names(dim_names_of(value.outputs())) {}

swy_status* swy_model_load(swy_runtime* runtime, const char* file, const swy_model_options* options,
                           swy_model** out_model) {
  return guarded([&] {
    const switchyard::Runtime& user = required(runtime, "runtime").value;
    swy_model*& out = required(out_model, "out_model");
    out = new swy_model(Model::load(user, &required(file, "file"), fixed_dims_of(options)));
  });
}

swy_status* swy_model_from_bytes(swy_runtime* runtime, const void* data, size_t size_bytes,
                                 const swy_model_options* options, swy_model** out_model) {
  return guarded([&] {
    const switchyard::Runtime& user = required(runtime, "runtime").value;
    swy_model*& out = required(out_model, "out_model");
    out = new swy_model(
        Model::from_bytes(user, bytes_of(data, size_bytes, "data"), fixed_dims_of(options)));
  });
}

swy_status* swy_model_input_count(swy_model* model, size_t* out_count) {
  return guarded(
      [&] { required(out_count, "out_count") = required(model, "model").value.inputs().size(); });
}

swy_status* swy_model_output_count(swy_model* model, size_t* out_count) {
  return guarded(
      [&] { required(out_count, "out_count") = required(model, "model").value.outputs().size(); });
}

swy_status* swy_model_input_port(swy_model* model, size_t index, swy_port* out_port) {
  return guarded([&] {
    const swy_model& asked = required(model, "model");
    describe_port(asked.value.inputs(), asked.input_dim_names, "input", index, out_port);
  });
}

swy_status* swy_model_output_port(swy_model* model, size_t index, swy_port* out_port) {
  return guarded([&] {
    const swy_model& asked = required(model, "model");
    describe_port(asked.value.outputs(), asked.output_dim_names, "output", index, out_port);
  });
}

swy_status* swy_model_prepare(swy_model* model, size_t count, const char* const* names,
                              const uint32_t* ranks, const int64_t* const* shapes) {
  return guarded([&] {
    const Model asked = required(model, "model").value;  // callbacks may release it meanwhile
    const auto inputs = array_of(names, count, "names");
    const auto dims = array_of(ranks, count, "ranks");
    const auto extents = array_of(shapes, count, "shapes");
    std::map<std::string, Dims> given;
    for (std::size_t i = 0; i < count; ++i) {
      const std::string name = &required(inputs[i], fmt::format("names[{}]", i).c_str());
      if (!given.emplace(name, shape_of(dims[i], extents[i])).second) {
        throw Error(ErrorKind::invalid_argument, fmt::format("names has '{}' twice", name));
      }
    }
    asked.prepare(given);
  });
}

void swy_model_retain(swy_model* model) { retain(model); }
void swy_model_release(swy_model* model) { release(model); }

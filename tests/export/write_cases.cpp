// Writes each exported network with an input and what the network makes of it:
//
//   switchyard_export_cases FOLDER
#include <cstdio>
#include <filesystem>
#include <switchyard/autograd.hpp>
#include <switchyard/error.hpp>
#include <switchyard/io.hpp>
#include <switchyard/onnx_export.hpp>

#include "training/exported_nets.hpp"

namespace {

void write_cases(const std::filesystem::path& folder) {
  const switchyard::NoGrad no_grad;
  for (switchyard::ExportedNet& exported : switchyard::exported_nets()) {
    const std::filesystem::path position = folder / exported.name;
    std::filesystem::create_directories(position);
    export_onnx(exported.net, exported.input.narrow(0, 0, 1), position / "model.onnx");
    exported.net.eval();
    save_npy(position / "input.npy", exported.input);
    save_npy(position / "expected.npy", exported.net(exported.input));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: switchyard_export_cases FOLDER\n");
    return 2;
  }
  try {
    write_cases(argv[1]);
  } catch (const switchyard::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

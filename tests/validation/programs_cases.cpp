// Programs, kernels and runs.
#include <switchyard/kernels.h>

#include "case.hpp"

namespace layered {

std::vector<BrokenRule> cases_of_programs() {
  return {
      {"ValueOfNoIndex", "program", "asynchronous",
       [](Case& c) {
         const Operand x{.shape = {4}};
         const driver::Program program("Relu", 14, {x}, x, {7});
         EXPECT_EQ(c.device.prepare(program).status, SY_INVALID);
       }},
      {"UnclaimedOp", "claim", "asynchronous",
       [](Case& c) {
         const Operand x{.shape = {4}};
         EXPECT_EQ(c.device.prepare(driver::Program("Sin", 7, {x}, x)).status, SY_INVALID);
       }},
      {"UnclaimedType", "claim", "asynchronous",
       [](Case& c) {
         const Operand x{.shape = {4}, .dtype = SY_INT8};
         EXPECT_EQ(c.device.prepare(driver::Program("Relu", 14, {x}, x)).status, SY_INVALID);
       }},
      {"OfAnotherRank", "prepared", "asynchronous",
       [](Case& c) {
         Operand x = c.tensor();
         x.shape = {2, 2};
         const sy_kernel kernel = c.kernel();
         EXPECT_EQ(c.run(kernel, {x}, c.tensor()), SY_INVALID);
         c.destroy(kernel);
       }},
      {"OneInputMore", "prepared", "asynchronous",
       [](Case& c) {
         const sy_kernel kernel = c.kernel();
         EXPECT_EQ(c.run(kernel, {c.tensor(), c.tensor()}, c.tensor()), SY_INVALID);
         c.destroy(kernel);
       }},
      {"WithoutStorage", "prepared", "asynchronous",
       [](Case& c) {
         const sy_kernel kernel = c.kernel();
         EXPECT_EQ(c.run(kernel, {{.shape = {4}}}, c.tensor()), SY_INVALID);
         c.destroy(kernel);
       }},
      {"UnclaimedImmediate", "immediate", "asynchronous",
       [](Case& c) {
         const Operand x{.shape = {}, .flags = SY_VALUE_IMMEDIATE};
         EXPECT_EQ(c.device.prepare(driver::Program("Relu", 14, {x}, {.shape = {}})).status,
                   SY_INVALID);
       }},
      {"TooSmall", "workspace", "workspace",
       [](Case& c) {
         const sy_storage small = c.device.allocate(999);
         EXPECT_EQ(run_changed(c, [&](sy_run_args& args) { args.workspace = small; }), SY_INVALID);
       }},
      {"NoAllocator", "outputs", "deferred",
       [](Case& c) {
         run_deferred(
             c, [](sy_kernel) {}, false);
       }},
      {"ReleasedTwice", "constant", "packed_constants",
       [](Case& c) {
         auto args = make<sy_constant_args>();
         args.device = c.device.handle();
         args.constant = reinterpret_cast<sy_constant>(&c);
         EXPECT_EQ(c.api.release_constant(&args, nullptr), SY_INVALID);
       }},
      {"ForAKernelOfOps", "launch", "asynchronous",
       [](Case& c) {
         sy_launch launch = {};
         launch.link = {sizeof(launch), SY_EXTENSION_LAUNCH, nullptr};
         EXPECT_EQ(run_changed(c, [&](sy_run_args& args) { args.extensions = &launch.link; }),
                   SY_INVALID);
       }},
      {"OutputOfAnotherShape", "prepared", "asynchronous",
       [](Case& c) {
         const Operand x = c.tensor(), y = c.tensor();
         const sy_kernel kernel = c.kernel();
         const Operand two{.shape = {2}, .storage = y.storage};
         EXPECT_EQ(c.run(kernel, {x}, two), SY_INVALID);
         c.destroy(kernel);
       }},
      {"ReservedFieldOfATensor", "args", "asynchronous",
       [](Case& c) {
         const sy_kernel kernel = c.kernel();
         const Operand x = c.tensor(), y = c.tensor();
         OneRun run(c, kernel, x, y);
         run.input.reserved = 7;
         EXPECT_EQ(c.api.run(&run.args, nullptr), SY_INVALID);
         c.destroy(kernel);
       }},
      {"UnknownTypeOfAValue", "args", "asynchronous",
       [](Case& c) {
         const Operand x{.shape = {4}, .dtype = 200};
         EXPECT_EQ(c.device.prepare(driver::Program("Relu", 14, {x}, x)).status, SY_INVALID);
       }},
      {"NeverAsked", "workspace", "workspace_per_run",
       [](Case& c) { EXPECT_EQ(run_changed(c, [](sy_run_args&) {}), SY_INVALID); }},
      {"AskedForOtherTensors", "workspace", "workspace_per_run",
       [](Case& c) {
         const sy_kernel kernel = c.kernel();
         const Operand x = c.tensor(), y = c.tensor(), z = c.tensor();
         OneRun asked(c, kernel, x, y), made(c, kernel, x, z);
         uint64_t bytes = 0;
         EXPECT_EQ(ask_workspace(c, asked.args, bytes), SY_OK);
         made.args.workspace = c.device.allocate(bytes);
         EXPECT_EQ(c.api.run(&made.args, nullptr), SY_INVALID);
         c.destroy(kernel);
       }},
      {"AskedWithABinding", "workspace", "workspace_per_run",
       [](Case& c) {
         const sy_kernel kernel = c.kernel();
         const Operand x = c.tensor(), y = c.tensor();
         OneRun run(c, kernel, x, y);
         run.args.binding = 1;
         uint64_t bytes = 0;
         EXPECT_EQ(ask_workspace(c, run.args, bytes), SY_INVALID);
         c.destroy(kernel);
       }},
      {"OfOtherTensors", "binding", "bindings",
       [](Case& c) {
         const sy_kernel kernel = c.kernel();
         const Operand x = c.tensor(), y = c.tensor(), z = c.tensor();
         OneRun first(c, kernel, x, y), second(c, kernel, x, z);
         first.args.binding = second.args.binding = 7;
         EXPECT_EQ(c.api.run(&first.args, nullptr), SY_OK);
         EXPECT_EQ(c.api.run(&second.args, nullptr), SY_INVALID);
         c.destroy(kernel);
       }},
      {"ThatTheKernelWantsNot", "binding", "asynchronous",
       [](Case& c) {
         EXPECT_EQ(run_changed(c, [](sy_run_args& args) { args.binding = 1; }), SY_INVALID);
       }},
      {"WithAHostInput", "binding", "bindings",
       [](Case& c) {
         const Operand x{.shape = {4},
                         .storage = reinterpret_cast<sy_storage>(four),
                         .flags = SY_VALUE_HOST_INPUT};
         const Operand y = c.tensor();
         const sy_kernel kernel = c.device.prepare(driver::Program("Relu", 14, {x}, y)).kernel;
         OneRun run(c, kernel, x, y);
         run.args.binding = 1;
         EXPECT_EQ(c.api.run(&run.args, nullptr), SY_INVALID);
         c.destroy(kernel);
       }},
  };
}

}  // namespace layered

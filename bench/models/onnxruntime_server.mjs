// One model on onnxruntime under the clock: switchyard_server.cpp's peer, with the same protocol.
//
//   node onnxruntime_server.mjs MODEL INPUTS THREADS MODULES
//
// MODULES is the node_modules folder that holds onnxruntime-node.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { readTensor, writeTensor } from "./tensor_file.mjs";

const [model, inputs, threads, modules] = process.argv.slice(2);
if (!modules) {
  console.error("usage: onnxruntime_server.mjs MODEL INPUTS THREADS MODULES");
  process.exit(2);
}
const require = createRequire(join(modules, "anything.js"));
const { Tensor } = require("onnxruntime-node");
// What InferenceSession.run calls once its promise has waited for node's event loop: called
// directly, so that the wait is not counted against onnxruntime.
const { binding, initOrt } = require(join(modules, "onnxruntime-node", "dist", "binding.js"));

initOrt();
const session = new binding.InferenceSession();
session.loadModel(model, {
  executionProviders: ["cpu"],
  executionMode: "sequential",
  graphOptimizationLevel: "all",
  intraOpNumThreads: Number(threads),
  interOpNumThreads: 1,
});

const feeds = {};
session.inputMetadata.forEach(({ name }, i) => {
  const file = join(inputs, `input_${i}.pb`);
  if (!existsSync(file)) return;
  const { dtype, shape, data } = readTensor(file);
  feeds[name] = new Tensor(dtype, data, shape);
});
const outputNames = session.outputMetadata.map(({ name }) => name);
const fetches = Object.fromEntries(outputNames.map((name) => [name, null]));
let outputs = {};

function timeOnce() {
  const start = process.hrtime.bigint();
  outputs = session.run(feeds, fetches, {});
  return process.hrtime.bigint() - start;
}

function writeOutputs(folder) {
  outputNames.forEach((name, i) => {
    const { type, dims, data } = outputs[name];
    writeTensor(join(folder, `output_${i}.pb`), { name, dtype: type, shape: dims, data });
  });
}

function answerTo(verb, argument) {
  if (verb === "write") {
    writeOutputs(argument);
    return "ok";
  }
  if (verb !== "time") return `there is no ${verb}`;
  return Array.from({ length: Number(argument) }, timeOnce).join(" ");
}

timeOnce();
console.log("ready");
for await (const line of createInterface({ input: process.stdin })) {
  const [verb] = line.split(" ", 1);
  console.log(answerTo(verb, line.slice(verb.length + 1)));
}

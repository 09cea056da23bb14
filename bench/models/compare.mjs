// Runs real models on Switchyard and on onnxruntime in turns, and prints how long each takes.
//
//   node compare.mjs BUILD [OPTION...]
//
// Ends with 1 if outputs differ or a model does not run, with 2 for a wrong command line.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, homedir, loadavg, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { callCost } from "./call_cost.mjs";
import { modelList } from "./model_list.mjs";
import { readOptions, USAGE } from "./options.mjs";
import { installedPeer, PEER_VERSION } from "./peer.mjs";
import { race } from "./race.mjs";
import { report, summary } from "./report.mjs";

function cacheFolder() {
  const base = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
  return join(base, "switchyard", "bench");
}

/** How to start each server for a model. */
function serverCommands(build, config, modules) {
  const peerServer = fileURLToPath(new URL("onnxruntime_server.mjs", import.meta.url));
  return {
    switchyard: ({ file, inputs }, threads) =>
      [join(build, "bin", "switchyard_bench_model"), file, inputs, `${threads}`, config],
    onnxruntime: ({ file, inputs }, threads) =>
      [process.execPath, peerServer, file, inputs, `${threads}`, modules],
  };
}

async function raceAll(models, options) {
  const results = [];
  for (const threads of options.threads) {
    for (const model of models) {
      process.stderr.write(`${model.name}, ${threads} thread(s)\n`);
      results.push(await race(model, threads, options));
    }
  }
  return results;
}

async function compare(build, options, scratch) {
  const cache = cacheFolder();
  const config = resolve(options.config ?? join(build, "config", "cpu-only.toml"));
  const commands = serverCommands(build, config, installedPeer(cache));
  const all = modelList({ folders: options.models, only: options.only, cache, scratch });
  const racing = { ...options, commands, scratch };
  const loadBefore = loadavg()[0];
  const figures = {
    peer: `onnxruntime ${PEER_VERSION}`,
    processor: cpus()[0]?.model,
    callCost: await callCost(racing),
    results: await raceAll(all.filter(({ absent }) => !absent), racing),
    absent: all.filter(({ absent }) => absent),
  };
  figures.load = { before: loadBefore, after: loadavg()[0] };
  figures.summaries = options.threads.map((threads) => summary(figures.results, threads));
  return figures;
}

async function main([build, ...args]) {
  const options = readOptions(args);
  const scratch = mkdtempSync(join(tmpdir(), "switchyard-bench-"));
  try {
    const figures = await compare(resolve(build), options, scratch);
    if (options.json) writeFileSync(options.json, `${JSON.stringify(figures, null, 2)}\n`);
    console.log(report(figures, options.markdown));
    const mustHaveAll = process.env.SWITCHYARD_REQUIRE_DATA === "1";
    const failed = figures.results.some(({ failure }) => failure);
    return failed || (mustHaveAll && figures.absent.length > 0) ? 1 : 0;
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

const args = process.argv.slice(2);
if (args.length === 0 || args.includes("--help")) {
  console.error(USAGE);
  process.exitCode = args.length === 0 ? 2 : 0;
} else {
  process.exitCode = await main(args).catch((error) => {
    console.error(`bench: ${error.message}`);
    return 2;
  });
}

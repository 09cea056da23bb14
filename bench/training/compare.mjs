// Trains on Switchyard and on libtorch in turns, and prints how long a step of each takes.
//
//   node compare.mjs BUILD [OPTION...]
//
// Ends with 1 if losses differ or a task does not run, with 2 for a wrong command line.
import { existsSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join, resolve } from "node:path";

import { readOptions } from "../models/options.mjs";
import { race } from "../models/race.mjs";
import { examine } from "./examination.mjs";
import { report } from "./report.mjs";
import { TASKS } from "./tasks.mjs";

const USAGE = `usage: bench/run BUILD training [OPTION...]

  --only A,B       only these tasks: ${TASKS.map(({ name }) => name).join(", ")}
  --threads 1,2    numbers of threads, one after the other
  --rounds N       rounds of each side, in turns, about 0.2 s each (default 7)
  --config FILE    Switchyard's configuration, without plugins.cpu.options (default:
                   BUILD/config/cpu-only.toml)
  --json FILE      writes all figures
  --markdown       prints the table as Markdown
`;

function chosenTasks(only) {
  const unknown = only.filter((name) => !TASKS.some((task) => task.name === name));
  if (unknown.length > 0) throw new Error(`there is no task ${unknown.join(", ")}`);
  return TASKS.filter(({ name }) => only.length === 0 || only.includes(name));
}

function perOperation(result, { per }) {
  if (result.failure) return result;
  return { ...result, ours_ms: result.ours_ms / per, peer_ms: result.peer_ms / per };
}

async function compare(build, peer, options) {
  const config = resolve(options.config ?? join(build, "config", "cpu-only.toml"));
  const ours = join(build, "bin", "switchyard_bench_training");
  const commands = {
    switchyard: ({ name }, threads) => [ours, name, `${threads}`, config],
    libtorch: ({ name }, threads) => [peer, name, `${threads}`],
  };
  const tasks = chosenTasks(options.only);
  const load = { before: loadavg()[0] };
  const results = [];
  for (const threads of options.threads) {
    for (const task of tasks) {
      process.stderr.write(`${task.name}, ${threads} thread(s)\n`);
      const result = await race(task, threads, { ...options, commands, examine });
      results.push(perOperation(result, task));
    }
  }
  load.after = loadavg()[0];
  return { processor: cpus()[0]?.model, load, results };
}

async function main([folder, ...args]) {
  const options = readOptions(args, {});
  const build = resolve(folder);
  const peer = join(build, "bin", "libtorch_bench_training");
  if (!existsSync(peer)) {
    console.log(`SKIPPED training: ${peer} is not built (it wants libtorch-dev)`);
    return process.env.SWITCHYARD_REQUIRE_DATA === "1" ? 1 : 0;
  }
  const figures = await compare(build, peer, options);
  if (options.json) writeFileSync(options.json, `${JSON.stringify(figures, null, 2)}\n`);
  console.log(report(figures, options.markdown));
  return figures.results.some(({ failure }) => failure) ? 1 : 0;
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

// One model on both runtimes, in turns, in the same minutes: machines are noisy, ratios less so.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { difference } from "./agreement.mjs";
import { Contender } from "./contender.mjs";
import { median } from "./statistics.mjs";

const ROUND_NS = 0.2e9;
const LEAST_RUNS = 3;
const REST_MS = 10;  // threads of the one before spin for a while before they sleep

async function runsPerRound(contender) {
  await contender.time(LEAST_RUNS);  // warms up
  const run = median(await contender.time(LEAST_RUNS));
  const runs = Math.max(LEAST_RUNS, Math.ceil(ROUND_NS / run));
  await contender.time(runs);
  return runs;
}

async function compareOutputs(racers, model, threads, { scratch }) {
  const folder = join(scratch, model.name, `outputs_${threads}`);
  for (const { name, contender } of racers) {
    const outputs = join(folder, name);
    mkdirSync(outputs, { recursive: true });
    await contender.writeOutputs(outputs);
  }
  const [ours, peer] = racers.map(({ name }) => join(folder, name));
  const differs = difference(ours, peer, model.tolerance);
  return differs ? { failure: `outputs differ: ${differs}` } : {};
}

async function timeInTurns(racers, rounds) {
  for (const racer of racers) racer.runs = await runsPerRound(racer.contender);
  const medians = Object.fromEntries(racers.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; ++round) {
    const order = round % 2 === 0 ? racers : [...racers].reverse();
    for (const { name, contender, runs } of order) {
      await sleep(REST_MS);
      medians[name].push(median(await contender.time(runs)));
    }
  }
  return medians;
}

/**
 * Times `model` on `threads` threads. `commands` gives for each of the two names, ours first, the
 * program and its arguments. `examine` looks at both before any time is taken and gives what else
 * the result has, or { failure }. The result has { model, threads } and, where both agree,
 * { ours_ms, peer_ms, ratio, rounds }.
 */
export async function race(model, threads, options) {
  const { commands, rounds, examine = compareOutputs } = options;
  const racers = [];
  const result = { model: model.name, threads };
  try {
    for (const [name, command] of Object.entries(commands)) {
      const [program, ...args] = command(model, threads);
      const contender = await Contender.start(program, args, model.environments?.[name])
        .catch((error) => { throw new Error(`${name}: ${error.message}`); });
      racers.push({ name, contender });
    }
    Object.assign(result, await examine(racers, model, threads, options));
    if (result.failure) return result;
    const [ours, peer] = Object.values(await timeInTurns(racers, rounds));
    const [ours_ms, peer_ms] = [ours, peer].map((list) => median(list) / 1e6);
    const ratio = median(ours.map((value, round) => value / peer[round]));
    const toMs = (list) => list.map((value) => value / 1e6);
    return { ...result, ours_ms, peer_ms, ratio, rounds: { ours: toMs(ours), peer: toMs(peer) } };
  } catch (error) {
    return { ...result, failure: error.message };
  } finally {
    for (const { contender } of racers) contender.stop();
  }
}

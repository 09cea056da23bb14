// The table of training.
import { table } from "../models/report.mjs";

function timeText(ms) {
  const us = ms * 1000;
  if (us < 10) return `${(us * 1000).toFixed(0)} ns`;
  return us < 1000 ? `${us.toFixed(0)} us` : `${ms.toFixed(2)} ms`;
}

function cells({ model, threads, failure, ours_ms, peer_ms, ratio, growth }) {
  const memory = growth ? growth.map((mebibytes) => mebibytes.toFixed(1)) : ["-", "-"];
  if (failure) return [model, threads, "-", "-", "-", ...memory];
  return [model, threads, timeText(ours_ms), timeText(peer_ms), ratio.toFixed(2), ...memory];
}

/** The whole report as text. */
export function report({ results, load, processor }, asMarkdown) {
  const head = ["task", "threads", "switchyard", "libtorch", "ratio", "growth MiB", "libtorch's"];
  return [
    ...table([head, ...results.map(cells)], asMarkdown),
    "",
    `On ${processor}; load average ${load.before.toFixed(1)} before, ` +
      `${load.after.toFixed(1)} after.`,
    ...results.filter(({ failure }) => failure)
      .map(({ model, threads, failure }) => `FAILED ${model}, ${threads}: ${failure}`),
  ].join("\n");
}

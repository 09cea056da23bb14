// The table of a comparison, as text or as Markdown, and what it comes to.
import { geometricMean } from "./statistics.mjs";

const SLOW = 2;

function timeText(ms) {
  return ms >= 100 ? ms.toFixed(0) : ms >= 10 ? ms.toFixed(1) : ms >= 1 ? ms.toFixed(2) : ms.toFixed(4);
}

/** Results of one number of threads: { threads, geometric_mean, worst, slow }. */
export function summary(results, threads) {
  const timed = results.filter((result) => result.threads === threads && result.ratio);
  if (timed.length === 0) return { threads, models: 0 };
  const worst = timed.reduce((a, b) => (a.ratio > b.ratio ? a : b));
  return {
    threads,
    models: timed.length,
    geometric_mean: geometricMean(timed.map(({ ratio }) => ratio)),
    worst: { model: worst.model, ratio: worst.ratio },
    slower_than_2: timed.filter(({ ratio }) => ratio > SLOW).map(({ model }) => model),
  };
}

function cells(result) {
  const { model, threads } = result;
  if (result.failure) return [model, threads, "-", "-", "-"];
  return [model, threads, timeText(result.ours_ms), timeText(result.peer_ms),
    result.ratio.toFixed(2)];
}

function aligned(rows) {
  const widths = rows[0].map((_, column) =>
    Math.max(...rows.map((row) => String(row[column]).length)));
  return rows.map((row) => row.map((cell, column) => column === 0
    ? String(cell).padEnd(widths[column])
    : String(cell).padStart(widths[column])));
}

/** A head and rows as the lines of a table. */
export function table(rows, asMarkdown) {
  const [head, ...body] = aligned(rows);
  if (!asMarkdown) return [head, ...body].map((row) => row.join("  "));
  const line = (row) => `| ${row.join(" | ")} |`;
  return [line(head), `|---${"|--:".repeat(head.length - 1)}|`, ...body.map(line)];
}

function summaryLine(result) {
  if (result.models === 0) return `${result.threads} thread(s): no model was timed`;
  const slow = result.slower_than_2.join(", ") || "none";
  return `${result.threads} thread(s): ${result.models} models, geometric mean ` +
    `${result.geometric_mean.toFixed(2)}, worst ${result.worst.model} ` +
    `${result.worst.ratio.toFixed(2)}, slower than ${SLOW}x: ${slow}`;
}

/** The whole report as text. */
export function report({ results, summaries, absent, callCost, load, processor }, asMarkdown) {
  const head = ["model", "threads", "switchyard ms", "onnxruntime ms", "ratio"];
  const failures = results.filter(({ failure }) => failure);
  return [
    ...table([head, ...results.map(cells)], asMarkdown),
    "",
    ...summaries.map(summaryLine),
    `A call that computes next to nothing: switchyard ${callCost.ours_us.toFixed(1)} us, ` +
      `onnxruntime through node ${callCost.peer_us.toFixed(1)} us.`,
    `On ${processor}; load average ${load.before.toFixed(1)} before, ` +
      `${load.after.toFixed(1)} after.`,
    ...failures.map(({ model, threads, failure }) => `FAILED ${model}, ${threads}: ${failure}`),
    ...absent.map(({ name, absent: why }) => `SKIPPED ${name}: ${why}`),
  ].join("\n");
}

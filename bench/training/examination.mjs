// Whether both sides train the same, and how much memory each takes.

const STEPS_OF_GROWTH = 100;

function firstDifference(ours, peer, tolerance) {
  const allowed = peer.map((loss) => tolerance * Math.abs(loss));
  const step = ours.findIndex((loss, i) => !(Math.abs(loss - peer[i]) <= allowed[i]));
  if (step < 0) return null;
  return `losses differ: ${ours[step]}, not ${peer[step]}, in step ${step} ` +
    `(allowed: ${allowed[step]})`;
}

/** { growth: mebibytes of ours and of the peer } and, where they differ, { failure }. */
export async function examine(racers, task) {
  const growth = [], losses = [];
  // Memory first: what is measured later has its part in it.
  for (const { contender } of racers) {
    growth.push(await contender.memoryGrowth(STEPS_OF_GROWTH) / 1024);
  }
  for (const { contender } of racers) losses.push(await contender.losses(task.steps));
  const failure = firstDifference(...losses, task.tolerance);
  return failure ? { growth, failure } : { growth };
}

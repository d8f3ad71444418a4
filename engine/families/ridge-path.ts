// A path of ridges: one problem solved under several of them, each from where the one before it ended.

/** A fit that goes on from its last solution. */
interface RidgeProblem<Fitted> {
  solve(l2: number, maxIterations: number): Fitted;
}

/**
 * The models of some ridges, in the order of `ridges`, solved from the largest one down: together they cost little more than
 * the smallest alone. Iterations add up along the path, so where an early stop is part of the regularisation a later model
 * has been stopped later than a fit of its own would be.
 */
export function solvePath<Fitted>(
  problem: RidgeProblem<Fitted>,
  ridges: readonly number[],
  maxIterations: number,
): Fitted[] {
  const models: Fitted[] = [];
  const order = [...ridges.keys()].sort((a, b) => ridges[b]! - ridges[a]! || a - b);
  for (const index of order) models[index] = problem.solve(ridges[index]!, maxIterations);
  return models;
}

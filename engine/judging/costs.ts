// Costs of wrong decisions: read from pairs of labels, averaged over decisions,
// turned into class weights where these say the same.
import { meantLabel } from "../columns/near-miss.ts";
import { quotedName } from "../csv/header.ts";
import { InputError } from "../input-error.ts";

/** `costs[actual][decided]`, by class code; 0 where the decision is right. */
export type CostMatrix = readonly (readonly number[])[];

/** The cost of answering `predicted` for a row labelled `actual`; a null `predicted` stands for every other label. */
export interface Cost {
  actual: string;
  predicted: string | null;
  cost: number;
}

/** Larger costs would only hide the smaller ones. */
export const LARGEST_COST = 1e6;

/**
 * The costs by class code: 1 for pairs not named. A pair of labels overrides a label alone, in any order; of two
 * entries for the same labels the later one counts.
 *
 * @throws InputError COST_LABEL_NOT_FOUND, COST_OF_RIGHT_DECISION, COSTS_ALL_ZERO
 */
export function costMatrix(labels: readonly string[], costs: readonly Cost[]): CostMatrix {
  const matrix: number[][] = labels.map((_, actual) => labels.map((_, decided) => (actual === decided ? 0 : 1)));
  const codeOf = (label: string) => {
    const code = labels.indexOf(label);
    if (code >= 0) return code;
    const message = `No row has the label ${quotedName(label)}, which a cost was given for. ${meantLabel(label, labels)}`;
    throw new InputError("COST_LABEL_NOT_FOUND", message);
  };
  for (const { actual, cost } of costs.filter(({ predicted }) => predicted === null)) {
    const code = codeOf(actual);
    matrix[code] = matrix[code]!.map((_, decided) => (decided === code ? 0 : cost));
  }
  for (const { actual, predicted, cost } of costs) {
    if (predicted === null) continue;
    const [from, to] = [codeOf(actual), codeOf(predicted)];
    if (from === to) {
      const message =
        `A right decision costs nothing: the cost of ${quotedName(actual)} ` +
        `predicted as ${quotedName(predicted)} must go.`;
      throw new InputError("COST_OF_RIGHT_DECISION", message);
    }
    matrix[from]![to] = cost;
  }
  if (matrix.every((row) => row.every((cost) => cost === 0))) {
    throw new InputError("COSTS_ALL_ZERO", "Every cost is 0, so every decision would be as good. Give one above 0.");
  }
  return matrix;
}

/**
 * Class weights that decide as the costs do. They exist if all wrong decisions about a class cost
 * the same, so for any two classes. Null if there are none.
 */
export function weightsOfCosts(costs: CostMatrix): number[] | null {
  const weights: number[] = [];
  for (const [actual, row] of costs.entries()) {
    const wrong = row.filter((_, decided) => decided !== actual);
    if (wrong.some((cost) => cost !== wrong[0])) return null;
    weights.push(wrong[0]!);
  }
  return weights;
}

/** The mean cost of a decision. `confusion[actual][decided]`. */
export function meanCost(confusion: readonly (readonly number[])[], costs: CostMatrix): number {
  let [total, rowCount] = [0, 0];
  confusion.forEach((row, actual) => {
    row.forEach((count, decided) => {
      total += count * costs[actual]![decided]!;
      rowCount += count;
    });
  });
  return total / rowCount;
}

/** The expected cost of each decision for each row, from the rows' probabilities. O(rows × classes²). */
export function expectedCosts(probabilities: Float64Array, costs: CostMatrix): Float64Array {
  const classCount = costs.length;
  const expected = new Float64Array(probabilities.length);
  for (let base = 0; base < probabilities.length; base += classCount) {
    for (let actual = 0; actual < classCount; actual++) {
      const [share, costOf] = [probabilities[base + actual]!, costs[actual]!];
      for (let decided = 0; decided < classCount; decided++) {
        expected[base + decided] = expected[base + decided]! + share * costOf[decided]!;
      }
    }
  }
  return expected;
}

/** The pairs of labels whose cost is not 1, as `costMatrix` reads them. */
export function listCosts(labels: readonly string[], costs: CostMatrix): Cost[] {
  return costs.flatMap((row, actual) =>
    row.flatMap((cost, decided) =>
      actual === decided || cost === 1 ? [] : [{ actual: labels[actual]!, predicted: labels[decided]!, cost }],
    ),
  );
}

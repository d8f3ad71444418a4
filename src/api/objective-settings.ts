// The fields for what decisions aim at and what wrong ones cost, and their check (D108).
import { type Static, Type } from "@sinclair/typebox";
import { InputError } from "../../engine/input-error.ts";
import { type Cost, costMatrix, LARGEST_COST } from "../../engine/judging/costs.ts";
import { OBJECTIVES, type Objective } from "../../engine/judging/objective.ts";
import { wrongField } from "../http/problem.ts";
import { named, oneOf, orNull } from "../http/schemas.ts";
import { ObjectiveName } from "./statuses.ts";
import { MOST_NAME_CHARACTERS } from "./table-settings.ts";

const MOST_COSTS = 1_000;

const Label = (description: string) => Type.String({ maxLength: MOST_NAME_CHARACTERS, description });
const CostValue = Type.Number({ minimum: 0, maximum: LARGEST_COST });

/** Optional fields of a request for a training. */
export const OBJECTIVE_SETTINGS = {
  objective: Type.Optional(
    oneOf(OBJECTIVES, {
      description:
        "What decisions aim at and versions are ranked by: " +
        "`accuracy`, `balanced-accuracy` (the mean recall of the classes), " +
        "`f1` (their mean F1) or `cost` (a low mean cost). " +
        "By default `cost` where there are `costs`, else `accuracy`.",
      "x-decision": "D108",
    }),
  ),
  costs: Type.Optional(
    Type.Array(
      Type.Object({
        actual: Label("The label that a row has."),
        predicted: Type.Optional(Label("The label that is predicted instead; left out for any other.")),
        cost: CostValue,
      }),
      {
        minItems: 1,
        maxItems: MOST_COSTS,
        description:
          "What wrong decisions cost; 1 where nothing is said. Decisions then have the lowest expected cost.",
        "x-decision": "D108",
      },
    ),
  ),
};

const DecisionCost = Type.Object({ actual: Type.String(), predicted: orNull(Type.String()), cost: CostValue });
named({ DecisionCost });

/** The fields as answers have them. */
export const OBJECTIVE_ANSWER = {
  objective: ObjectiveName,
  costs: orNull(
    Type.Array(DecisionCost, {
      description: "As asked for; `predicted` is null for any other label. Null where the objective is not `cost`.",
    }),
  ),
};

export const FOR_ACCURACY = { objective: "accuracy", costs: null } as const;

const ObjectiveFields = Type.Object(OBJECTIVE_SETTINGS);

/**
 * Checks the requested objective and costs, against the labels where these are known.
 *
 * @throws ApiError VALIDATION_FAILED
 */
export function objectiveSettings(
  fields: Static<typeof ObjectiveFields>,
  labels: readonly string[] | null,
): { objective: Objective; costs: Cost[] | null } {
  const costs = fields.costs?.map(({ actual, predicted = null, cost }) => ({ actual, predicted, cost })) ?? null;
  const { objective = costs === null ? "accuracy" : "cost" } = fields;
  if (objective === "cost" && costs === null)
    throw wrongField("costs", "REQUIRED", "The objective `cost` needs `costs`.");
  if (objective !== "cost" && costs !== null) {
    throw wrongField("costs", "NOT_APPLICABLE", `Costs do not go with the objective \`${objective}\`.`);
  }
  if (costs !== null && labels !== null) requireSoundCosts(costs, labels);
  return { objective, costs };
}

/** A target is an accuracy. @throws ApiError VALIDATION_FAILED */
export function requireNoTarget(objective: Objective, target: number | undefined): void {
  if (objective === "accuracy" || target === undefined) return;
  const message = `A performanceThreshold is an accuracy; it does not go with the objective \`${objective}\`.`;
  throw wrongField("performanceThreshold", "NOT_APPLICABLE", message);
}

function requireSoundCosts(costs: readonly Cost[], labels: readonly string[]): void {
  try {
    costMatrix(labels, costs);
  } catch (error) {
    if (error instanceof InputError) throw wrongField("costs", error.code, error.message);
    throw error;
  }
}

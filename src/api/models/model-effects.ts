// The effects that a version learned: curves of probability along each column's values, and the rows behind them.

import { type Static, Type } from "@sinclair/typebox";
import { Count, Key, named, oneOf, orNull, Share, shown, Version } from "../../http/schemas.ts";
import { type Route, route } from "../../routing/route.ts";
import type { ColumnEffects } from "../../summary/summary.ts";
import { DATE_PARTS_SAID, TEXT_PARTS_SAID } from "../part-names.ts";
import type { Services } from "../services.ts";
import { findSummary, findVersion, VersionParam } from "./model-files.ts";
import { MODEL_EXAMPLE } from "./models.ts";

const Effect = Type.Object({
  name: Type.String(),
  part: orNull(
    Type.Unsafe<NonNullable<ColumnEffects["part"]>>(
      Type.String({
        description:
          DATE_PARTS_SAID +
          TEXT_PARTS_SAID +
          "`difference`: the number less that of `minus`; `duration`: the date less that of `minus`, in seconds.",
      }),
    ),
  ),
  minus: Type.Optional(
    Type.String({ description: "The column that is taken off; only of differences and durations." }),
  ),
  kind: oneOf(["number", "category"]),
  method: oneOf(["partial dependence", "accumulated local effects"]),
  closest: orNull(
    Type.Object(
      { name: Type.String(), association: Share },
      {
        description:
          "The other column that the model uses that tells the most of this one: " +
          "the share of which of its five groups a value is in (Goodman and Kruskal's tau, less chance). " +
          "From 0.12 on, as for a correlation of 0.7, effects are accumulated local ones.",
      },
    ),
  ),
  points: Type.Array(
    Type.Object({
      value: Type.Unsafe<string | number | null>(Type.Union([Type.Number(), Type.String(), Type.Null()])),
      rows: Count,
    }),
    {
      description:
        "Numbers ascend, and `rows` counts training rows above the point before, up to this one. " +
        "Of a category the 12 most frequent values that five rows have, in the order that the model gave them. " +
        "Of a text's place the characters there, `a–f` where several count as one. " +
        "Null is missing.",
    },
  ),
  curves: Type.Array(
    Type.Object({
      label: Type.String(),
      probabilities: Type.Array(Type.Number(), {
        description: "For each point. Accumulated local effects may end just below 0 or above 1.",
      }),
    }),
    { description: "Of two classes the positive one; of more, the five that change the most." },
  ),
});

named({ ColumnEffect: Effect });

const ModelEffects = Type.Object({
  modelKey: Key,
  version: Version,
  columns: Type.Array(Effect, {
    description:
      "At most 20 columns and parts of dates and texts, the most important first, three of a text; " +
      "none of models of earlier versions.",
  }),
});
named({ ModelEffects });
export type ModelEffects = Static<typeof ModelEffects>;

const EXAMPLE: ModelEffects = {
  modelKey: MODEL_EXAMPLE.modelKey,
  version: 1,
  columns: [
    {
      name: "tenure",
      part: null,
      kind: "number",
      method: "partial dependence",
      closest: { name: "plan", association: 0.03 },
      points: [
        { value: 0, rows: 31 },
        { value: 24, rows: 2_400 },
        { value: 72, rows: 2_569 },
      ],
      curves: [{ label: "yes", probabilities: [0.31, 0.16, 0.08] }],
    },
  ],
};

export function modelEffectRoutes({ database, state }: Services): Route[] {
  return [
    route({
      method: "GET",
      path: "/api/v1/models/{modelKey}/versions/{version}/effects",
      params: { version: VersionParam },
      operationId: "getModelEffects",
      tag: "Models",
      summary: "What a version learned of each column",
      description:
        "How the mean probability of a class changes along the values of a column, " +
        "with the training rows behind each: partial dependence or, where columns go together, " +
        "accumulated local effects. It tells of the model, not of causes.",
      decisions: ["D31", "D110"],
      scopes: ["read", "predict"],
      answer: { status: 200, description: "The curves.", schema: ModelEffects, example: EXAMPLE },
      problems: ["NOT_FOUND"],
      handle: async ({ params: { modelKey, version }, caller: { userKey } }) => {
        findVersion(database, userKey, modelKey, version);
        const summary = await findSummary(state, modelKey);
        const columns = summary?.versions.find((kept) => kept.version === version)?.effects ?? [];
        return shown(ModelEffects, { modelKey, version, columns });
      },
    }),
  ];
}

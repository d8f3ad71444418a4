// The schema of the verdict on a training: how it was judged, and the doubts about its figures, worst first (D96).
import { type Static, Type } from "@sinclair/typebox";
import { countOf, named, oneOf, orNull, SCHEMA_NAME, shareOrNull } from "../http/schemas.ts";
import { DOUBT_CODES } from "../summary/verdict.ts";

export const Doubt = Type.Object({
  code: Type.String({ description: `Stable: ${DOUBT_CODES.map((code) => `\`${code}\``).join(", ")}.` }),
  level: oneOf(["serious", "caution"], {
    description: "With a serious doubt, the accuracy may not hold for new rows.",
  }),
  message: Type.String({ description: "What was seen." }),
  remedy: Type.String({ description: "What to do about it." }),
  option: orNull(
    Type.String({
      description:
        "Options of `cupel run` that do it; null for none. " +
        "In this API they are the fields `groupColumn` (`--group`), " +
        "`timeColumn` (`--time`) and `withoutColumns` (`--without`).",
    }),
  ),
  columns: Type.Array(Type.String(), { description: "The columns concerned." }),
  random: shareOrNull(
    "Accuracy of a fast model on rows held out at random (balanced accuracy where one label has 80% of the rows or " +
      "more, and the message says so); null where not applicable.",
  ),
  held: shareOrNull("The same with rows that belong together held out together."),
});

named({ Doubt });

export const Verdict = (whereNull: string) =>
  orNull(
    Type.Object(
      {
        judgedBy: Type.Object(
          {
            kind: oneOf(["random", "groups", "time", "groups and time"]),
            groupColumn: orNull(Type.String()),
            timeColumn: orNull(Type.String()),
            groupCount: countOf("0 without a group column."),
          },
          {
            [SCHEMA_NAME]: "JudgedBy",
            description: "The rows held out: drawn at random, whole groups, the newest, or the newest of new groups.",
          },
        ),
        isLookedAt: Type.Boolean({
          description: "False if it was not checked whether rows belong together, or the check was cut off.",
        }),
        tooFewRows: Type.Optional(
          Type.Boolean({ description: "True if it was not checked because the rows are too few (below 200)." }),
        ),
        cutBy: Type.Optional(
          oneOf(["TIME_LIMIT", "OWN_LIMIT"], {
            description:
              "The limit that ended the check early: it gets a tenth of the training's time limit, 10 seconds at most. " +
              "A longer limit helps against `TIME_LIMIT`.",
          }),
        ),
        doubts: Type.Array(Doubt, { description: "Worst first." }),
      },
      {
        [SCHEMA_NAME]: "Verdict",
        description: `How the training was judged, and the doubts about its figures. ${whereNull}`,
        "x-decision": "D96",
      },
    ),
  );

type Verdict = NonNullable<Static<ReturnType<typeof Verdict>>>;

export const VERDICT_EXAMPLE: Verdict = {
  judgedBy: { kind: "random", groupColumn: null, timeColumn: null, groupCount: 0 },
  isLookedAt: true,
  doubts: [
    {
      code: "GROUPS_FLATTER",
      level: "serious",
      message:
        'Rows with the same "machine" resemble each other: 100.0% at random, about 54.8% for values of "machine" that the model has not seen.',
      remedy: 'If the model is to answer for new values of "machine", judge by it.',
      option: "--group machine",
      columns: ["machine"],
      random: 1,
      held: 0.548,
    },
  ],
};

// The model that answers in another's place, where a successor was promoted.
import type { ModelDetail } from "../../api/models/models.ts";
import type { ModelLine } from "../../api/successors/model-line.ts";
import { models } from "../../browser/api.ts";
import { type Loaded, useLoad } from "../../browser/loading.ts";
import { linkTo } from "../../browser/router.ts";
import { isAlarm } from "../../words/health-words.ts";

type Replacement = ModelLine["models"][number];

/** Null where the model answers itself; undefined until that is known. */
export type MaybeReplacement = Replacement | null | undefined;

/** For a page that shows nothing else of the line: asks only where the model alarms. */
export function useReplacement(model: ModelDetail | undefined): MaybeReplacement {
  const key = model !== undefined && isAlarm(model.watchState) ? model.modelKey : null;
  const loaded = useLoad(async (signal) => (key === null ? null : { line: await models.line(key, signal) }), [key]);
  return key === null ? null : replacementIn(loaded, key);
}

export function replacementIn(
  { value, problem }: Pick<Loaded<{ line: ModelLine } | null>, "value" | "problem">,
  modelKey: string,
): MaybeReplacement {
  if (value === null) return problem === null ? undefined : null;
  const { firstModelKey, models: all } = value.line;
  if (firstModelKey !== modelKey) return null;
  return all.find(({ isAnswering, modelKey: answeringKey }) => isAnswering && answeringKey !== modelKey) ?? null;
}

export function Replaced({ by: { modelKey, name } }: { by: Replacement }) {
  return (
    <>
      Its successor stands in its place and answers what is asked of it:{" "}
      <a href={linkTo(`/models/${modelKey}/health`)}>
        the health of {name === null ? "the successor" : <bdi>{name}</bdi>}
      </a>
      .
    </>
  );
}

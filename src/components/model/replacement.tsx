// The model that answers in another's place, where a successor was promoted.
import type { ModelLine } from "../../api/successors/model-line.ts";
import { models } from "../../browser/api.ts";
import { useLoad } from "../../browser/loading.ts";
import { linkTo } from "../../browser/router.ts";

type Replacement = ModelLine["models"][number];

/**
 * Null where the model answers itself; undefined until that is known. `moves`:
 * how often another model was chosen on this page.
 */
export function useReplacement(modelKey: string, moves = 0): Replacement | null | undefined {
  const { value, problem } = useLoad((signal) => models.line(modelKey, signal), [modelKey, moves]);
  if (value === null) return problem === null ? undefined : null;
  if (value.firstModelKey !== modelKey) return null;
  return value.models.find(({ isAnswering, modelKey: own }) => isAnswering && own !== modelKey) ?? null;
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

// The state of a model as a word that leads to its Health page; nothing where nothing is to be done.
import { linkTo } from "../../browser/router.ts";

interface HealthWordProps {
  modelKey: string;
  /** Of the champion. */
  state: string | null;
}

export function HealthWord({ modelKey, state }: HealthWordProps) {
  if (state !== "SHIFTED") return null;
  return (
    <a class="chip early" href={linkTo(`/models/${modelKey}/health`)}>
      Shifted
    </a>
  );
}

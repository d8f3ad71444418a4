// Models of all columns, on the blind test and in cross-validation, and the states that tell of them.
import type { RowScores } from "../../engine/refinement/cross-validation.ts";
import { FAMILIES } from "../../engine/refinement/plan.ts";
import { type BlindResult, scoreColumns, validate } from "./refinement-models.ts";
import type { Refinery } from "./refinery.ts";

/** They may begin before the columns are checked; their states follow the check. */
export class AllColumns {
  readonly columns: ReadonlySet<number>;
  readonly baseline: Promise<BlindResult[]>;
  readonly validation: Promise<RowScores>;
  private readonly enter: (state: string) => void;
  private isShown = false;
  private doneCount = 0;

  constructor(refinery: Refinery, columns: ReadonlySet<number>, enter: (state: string) => void) {
    const { count } = refinery;
    this.columns = columns;
    this.enter = enter;
    this.baseline = scoreColumns(refinery, columns, "baseline", () => {
      count.close("baseline");
      if (++this.doneCount < FAMILIES && this.isShown) enter(`BASELINE_RUN_${this.doneCount + 1}`);
    });
    this.validation = validate(refinery, columns, "all columns", () => count.close("validation"));
    // Errors reach the code that awaits these promises later; until then they must not count as unhandled.
    for (const models of [this.baseline, this.validation]) models.catch(() => undefined);
  }

  /** Enters the states of the models that are done, and from now on those of the others. */
  show(): void {
    this.isShown = true;
    for (let run = 1; run <= Math.min(FAMILIES, this.doneCount + 1); run++) this.enter(`BASELINE_RUN_${run}`);
  }
}

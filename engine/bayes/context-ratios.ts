// How much likelier each group of a column is within each class, in one context of its parents' groups.

/** p(group | class) / p(group) in one context, at `group * classCount + class`. */
export interface Ratios {
  values: Float64Array;
  logs: Float64Array;
}

export function openRatios(size: number): Ratios {
  return { values: new Float64Array(size), logs: new Float64Array(size) };
}

/** The m-estimate of a context's ratios, backed off to those with one parent less. */
export class BackedOffEstimate {
  private readonly smoothing: number;
  /** Fit rows of each class in the context. */
  private readonly classRows: Float64Array;
  /** m / (n_k + m), the share of the base in each class, and its logarithm. */
  private readonly kept: Float64Array;
  private readonly keptLogs: Float64Array;

  /** `smoothing`: the m, above 0. */
  constructor(classCount: number, smoothing: number) {
    this.smoothing = smoothing;
    this.classRows = new Float64Array(classCount);
    this.kept = new Float64Array(classCount);
    this.keptLogs = new Float64Array(classCount);
  }

  /**
   * Writes (c / p(group) + m × base) / (n_k + m) to the last argument, for the c rows of each cell of the context; its
   * cells begin at `from`. Where c is 0, as in most cells, that is base × m / (n_k + m): one logarithm serves all such
   * cells of a class. `shares`: p(group), above 0 where a cell of the group has rows.
   */
  write(base: Ratios, cells: Int32Array, from: number, shares: Float64Array, { values, logs }: Ratios): void {
    const { smoothing, classRows, kept, keptLogs } = this;
    const classCount = classRows.length;
    this.countClasses(cells, from, shares.length * classCount);
    for (let group = 0, cell = 0; group < shares.length; group++) {
      for (let k = 0; k < classCount; k++, cell++) {
        const count = cells[from + cell]!;
        if (count === 0) {
          values[cell] = base.values[cell]! * kept[k]!;
          logs[cell] = base.logs[cell]! + keptLogs[k]!;
        } else {
          const ratio = (count / shares[group]! + smoothing * base.values[cell]!) / (classRows[k]! + smoothing);
          values[cell] = ratio;
          logs[cell] = Math.log(ratio);
        }
      }
    }
  }

  private countClasses(cells: Int32Array, from: number, size: number): void {
    const { smoothing, classRows, kept, keptLogs } = this;
    const classCount = classRows.length;
    classRows.fill(0);
    for (let cell = from; cell < from + size; ) {
      for (let k = 0; k < classCount; k++, cell++) classRows[k] = classRows[k]! + cells[cell]!;
    }
    for (let k = 0; k < classCount; k++) {
      kept[k] = smoothing / (classRows[k]! + smoothing);
      keptLogs[k] = Math.log(kept[k]!);
    }
  }
}

// Rows of a later file as the training file would have them: its columns in
// its order, its way of writing numbers and dates, its labels.
import { missingMarkerSet, missingTextsOf } from "../columns/reading.ts";
import { quotedName } from "../csv/header.ts";
import { InputError } from "../input-error.ts";
import { FileDialect, type ReadColumns } from "../scoring/file-dialect.ts";
import { rewrittenCell } from "../scoring/rewritten-cell.ts";
import { requireColumns } from "../scoring/scorer.ts";

interface TrainedColumns {
  /** The columns of the training file in its order, the label among them. */
  names: readonly string[];
  label: string;
  /** Columns that the later file must have beside those that the model needs: of groups and times. */
  alsoNeeded: readonly string[];
}

/**
 * A cell that the model would take as missing is left empty, so that no stray text changes what its column is. Columns
 * that the model does not use keep their text, and are empty where the later file lacks them.
 */
export class LaterRows {
  /** Takes the whole file before the first call of `record`. */
  readonly dialect: FileDialect;
  private readonly model: ReadColumns;
  private readonly trained: TrainedColumns;
  private readonly places: readonly number[];
  private cells: readonly ((cell: string) => string)[] | null = null;

  /**
   * `names`: of the later file's columns; null for one that is left out.
   *
   * @throws ColumnMismatch, InputError COLUMN_NOT_FOUND
   */
  constructor(model: ReadColumns, trained: TrainedColumns, names: readonly (string | null)[], delimiter: string) {
    const needed = model.columns.map(({ name }) => name);
    this.dialect = new FileDialect(model, requireColumns(needed, names), delimiter);
    for (const name of trained.alsoNeeded) if (!names.includes(name)) throw lacking(name);
    this.model = model;
    this.trained = trained;
    const placeOf = new Map(names.map((name, at) => [name, at]));
    this.places = trained.names.map((name) => (name === trained.label ? -1 : (placeOf.get(name) ?? -1)));
  }

  /** The cells of the training file's columns. @throws InputError UNREADABLE_COLUMN */
  record(record: readonly string[], label: string): string[] {
    this.cells ??= this.cellsAsTrained();
    const { cells, places, trained } = this;
    return trained.names.map((name, at) => {
      if (name === trained.label) return label;
      const place = places[at]!;
      return place < 0 ? "" : cells[at]!(record[place]!);
    });
  }

  private cellsAsTrained(): ((cell: string) => string)[] {
    this.dialect.requireReadable();
    const now = this.dialect.readings();
    const { columns, missingMarkers } = this.model;
    const markers = missingMarkerSet(missingMarkers);
    const atOf = new Map(columns.map(({ name }, at) => [name, at]));
    return this.trained.names.map((name) => {
      const at = atOf.get(name);
      if (at === undefined) return (cell) => cell;
      const { reading } = columns[at]!;
      const missing = missingTextsOf(reading, markers);
      return (cell) => {
        const text = cell.trim();
        return missing.has(text) ? "" : (rewrittenCell(text, now[at]!, reading) ?? "");
      };
    });
  }
}

function lacking(name: string): InputError {
  const message =
    `The file has no column ${quotedName(name)}, by which the training was judged. ` +
    "Predict files that have it, or leave this prediction out.";
  return new InputError("COLUMN_NOT_FOUND", message, { line: 1, column: name });
}

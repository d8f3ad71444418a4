// Whether a file writes its numbers and dates as the model reads them: one that does not is refused, since its cells
// would count as missing (D75).
import { DATE_FORMS, packDate } from "../../../engine/columns/dates.ts";
import { BODY_FORMS, readNumber } from "../../../engine/columns/numbers.ts";
import { missingMarkerSet, missingTextsOf } from "../../../engine/columns/reading.ts";
import type { ModelFile } from "../../../engine/model/model-file.ts";
import { isUnreadable, refuseUnreadable, type ValueReading } from "../../../engine/scoring/unreadable-column.ts";

/** Takes in the rows of a file. */
export class CellCheck {
  private readonly columns;

  constructor({ columns, missingMarkers }: ModelFile) {
    const markers = missingMarkerSet(missingMarkers);
    this.columns = columns.flatMap(({ name, reading }, at) => {
      if (reading.kind === "category") return [];
      const counts = { total: 0, read: 0, readOtherwise: 0, firstUnread: 0 };
      return [
        { name, reading, at, missing: missingTextsOf(reading, markers), forms: readingsLike(reading), ...counts },
      ];
    });
  }

  /** `cells`: in the order of the model's columns. */
  add(cells: readonly string[], line: number): void {
    for (const column of this.columns) {
      const text = cells[column.at]!.trim();
      if (column.missing.has(text)) continue;
      column.total++;
      if (isRead(text, column.reading)) column.read++;
      else {
        column.firstUnread ||= line;
        if (column.forms.some((form) => isRead(text, form))) column.readOtherwise++;
      }
    }
  }

  /** @throws InputError where nearly no cell of a column can be read, or more of them in another form */
  require(): void {
    refuseUnreadable(
      this.columns.filter((column) => isUnreadable(column) || column.readOtherwise > column.read),
      "line",
    );
  }
}

function isRead(text: string, reading: ValueReading): boolean {
  return reading.kind === "date" ? packDate(text, reading.form) >= 0 : Number.isFinite(readNumber(text, reading.form));
}

/** All ways to write the column's values. */
function readingsLike(reading: ValueReading): ValueReading[] {
  if (reading.kind === "date") return DATE_FORMS.map((form) => ({ kind: "date", form }));
  return BODY_FORMS.map((form) => ({
    kind: "number",
    form: { ...reading.form, decimal: form.decimal, grouping: form.grouping },
  }));
}

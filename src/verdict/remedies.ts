// Turns a doubt into a request for the next training: a column to judge by, or columns to leave out.
import type { DoubtRecord } from "../../data/database/records.ts";
import type { KeyRequest } from "../../workers/reading/profile-file.ts";
import { plainName } from "../common/markup.ts";

const LONGEST_NAME = 40;

export interface Remedy {
  /** The words of a button. */
  words: string;
  /** Settings of a training; without any, the user has to choose. Null where only another table helps. */
  changes: KeyRequest | null;
}

const KEEP = "--keep-key-columns";
const BY_NEW_COLUMN = "--group COLUMN";
const CHOOSE_COLUMN: Remedy = { words: "Choose a column to judge by", changes: {} };
const KEEP_TIME: Remedy = { words: "Learn from the time too", changes: { keepKeyColumns: true } };

type RemedyInput = Pick<DoubtRecord, "code" | "columns"> & Partial<Pick<DoubtRecord, "option">>;

/** Empty where no setting helps. */
export function remediesOf({ code, columns, option = null }: RemedyInput): Remedy[] {
  const [column = ""] = columns;
  const shown = plainName(column, LONGEST_NAME);
  const withoutColumn =
    option?.includes("--without") === true
      ? [{ words: `Train without ${shown}`, changes: { withoutColumns: [column] } }]
      : [];
  switch (code) {
    case "GROUPS_FLATTER":
      if (option === BY_NEW_COLUMN) return [CHOOSE_COLUMN];
      return [{ words: `Judge by ${shown}`, changes: { groupColumn: column } }, ...withoutColumn];
    case "TIME_FLATTERS":
      return [
        { words: "Judge by time", changes: { timeColumn: column } },
        ...(option?.includes(KEEP) === true
          ? [{ words: `Judge by time and learn from ${shown}`, changes: { timeColumn: column, keepKeyColumns: true } }]
          : []),
        ...withoutColumn,
      ];
    case "ACCURACY_FALLS":
      return option === KEEP ? [KEEP_TIME] : [];
    case "SORTED_FILE":
      return [
        ...(option?.includes("--time") === false
          ? []
          : [{ words: `Judge by ${shown} as a time`, changes: { timeColumn: column } }]),
        ...(option?.includes("--group") === false
          ? []
          : [{ words: `Judge by ${shown} as a group`, changes: { groupColumn: column } }]),
      ];
    case "FILE_ORDER_FLATTERS":
    case "NEAR_TWINS_FLATTER":
      return [CHOOSE_COLUMN];
    case "COPIES_FLATTER":
      return [{ words: "Send the table without these rows", changes: null }];
    case "LEAK_SUSPECT": {
      const names = columns.map((each) => plainName(each, LONGEST_NAME)).join(" and ");
      return [{ words: `Train without ${names}`, changes: { withoutColumns: columns } }];
    }
    case "CLASS_NEVER_PREDICTED":
    case "LABEL_SHARES_CHANGE":
      return option === null ? [] : [{ words: "Train for another objective", changes: {} }];
    case "NOT_BETTER_THAN_GUESSING":
      if (option === KEEP) return [KEEP_TIME];
      return option === null
        ? [{ words: "Send a table that says more", changes: null }]
        : [{ words: "Train for another objective", changes: {} }];
    case "TARGET_IS_GUESSING":
      return [{ words: "Train with another target", changes: {} }];
    default:
      return [];
  }
}

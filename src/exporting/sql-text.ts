// A model as SQL by the options of the command line, and which other version to take if this one is too large.
import { DIALECTS, type DialectName } from "../../engine/export/sql/dialects.ts";
import { TOO_LARGE } from "../../engine/export/sql/refusals.ts";
import { type SqlOptions, sqlOf } from "../../engine/export/sql/sql-model.ts";
import { InputError } from "../../engine/input-error.ts";
import type { ModelFile } from "../../engine/model/model-file.ts";
import { SettingError } from "../common/setting-values.ts";

export const DIALECT_NAMES = Object.keys(DIALECTS) as DialectName[];
/** The table that the query reads unless `--table` says otherwise. */
export const DEFAULT_TABLE = "new_rows";

/**
 * `versions`: others of the same model, with the names of their files.
 *
 * @throws SettingError for a missing or unknown dialect; InputError where the model cannot become SQL
 */
export function sqlText(
  file: ModelFile,
  { dialect: named, table = DEFAULT_TABLE }: { dialect?: string; table?: string },
  versions: () => readonly { name: string; file: ModelFile }[],
): string {
  const dialect = DIALECT_NAMES.find((name) => name === named);
  if (dialect === undefined) {
    throw new SettingError(`--to sql needs --dialect, one of ${DIALECT_NAMES.join(", ")}.`);
  }
  if (table.split(".").some((part) => part === "") || table.includes("\0")) {
    throw new SettingError("--table takes a name such as rows or schema.rows.");
  }
  const options = { dialect, table };
  try {
    return sqlOf(file, options);
  } catch (error) {
    if (!(error instanceof InputError) || error.code !== TOO_LARGE) throw error;
    const others = versions();
    if (others.length === 0) throw error;
    const fitting = others.filter((version) => canBeSql(version.file, options));
    const names = fitting.length === 0 ? "none" : fitting.map(({ name }) => `${name}.cupel`).join(" and ");
    throw new InputError(
      TOO_LARGE,
      `${error.message} Of its versions here, ${names} ${fitting.length <= 1 ? "fits" : "fit"}.`,
    );
  }
}

function canBeSql(file: ModelFile, options: SqlOptions): boolean {
  try {
    return sqlOf(file, options) !== "";
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
}

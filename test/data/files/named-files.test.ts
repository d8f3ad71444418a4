// The files that rows name: all of them, in every form of the database, and which of them may be missing.
import { describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { rmSync, truncateSync, utimesSync } from "node:fs";
import { getTableConfig, type SQLiteTable } from "drizzle-orm/sqlite-core";
import * as schema from "../../../data/database/schema.ts";
import { missingFiles } from "../../../data/database/state-check.ts";
import { namedFiles } from "../../../data/files/named-files.ts";
import { listOrphans } from "../../../data/files/orphans.ts";
import { statePaths } from "../../../data/files/state-folder.ts";
import { deletePrediction } from "../../../data/predictions.ts";
import { type FilledState, fillState, placeFile } from "../../support/filled-state.ts";
import { withFolder } from "../../support/folders.ts";
import { NOON } from "../state.ts";

function withState(use: (filled: FilledState) => void): Promise<void> {
  return withFolder(async (folder) => {
    const filled = fillState(folder);
    use(filled);
    filled.database.close();
  });
}

describe("named files", () => {
  test("are those of uploads, results, datasets, models, predictions and journals, each once", () =>
    withState(({ database, paths, jobKey }) => {
      const named = [...namedFiles(database.client)];
      expect(named.map(({ path }) => path).sort()).toEqual([...paths].sort());
      const optional = named.filter(({ isRequired }) => !isRequired).map(({ path }) => path);
      expect(optional).toEqual([statePaths.journal(jobKey)]);
    }));

  test("stand in no column of the schema that is not looked at", () => {
    const tables = (Object.values(schema) as unknown[]).filter((value) => typeof value === "object") as SQLiteTable[];
    const columns = tables.flatMap((table) => {
      const { name, columns: all } = getTableConfig(table);
      return all.filter((column) => /path$/i.test(column.name)).map((column) => `${name}.${column.name}`);
    });
    expect(columns.sort()).toEqual([
      "datasets.filePath",
      "modelVersions.filePath",
      "predictions.inputPath",
      "predictions.resultPath",
      "refinementFiles.path",
    ]);
  });

  test("of deleted things need not be there", () =>
    withState(({ database, ann, predictionKey, datasetKey, state, folder }) => {
      deletePrediction(database, ann, predictionKey, NOON);
      database.client.run("UPDATE datasets SET deletedOn = createdOn WHERE key = ?", [datasetKey]);
      database.client.run("UPDATE refinements SET deletedOn = createdOn");
      for (const { path, isRequired } of [...namedFiles(database.client)]) {
        if (!isRequired) rmSync(state.locate(path));
      }
      rmSync(state.locate(statePaths.file(predictionKey)));
      expect(missingFiles(database.client, folder)).toEqual([]);
    }));

  test("are missed where they are not there, or were cut short", () =>
    withState(({ database, paths, modelKey, state, folder }) => {
      expect(missingFiles(database.client, folder)).toEqual([]);
      truncateSync(state.locate(paths[0]!), 5);
      rmSync(state.locate(statePaths.modelReport(modelKey)));
      expect(missingFiles(database.client, folder).sort()).toEqual(
        [paths[0]!, statePaths.modelReport(modelKey)].sort(),
      );
    }));
});

describe("orphans", () => {
  test("are all files that no row names, with size and time; folders may lack", () =>
    withState(({ database, state, folder }) => {
      expect(listOrphans(database.client, folder)).toEqual([]);
      const strange = [statePaths.file(randomUUID()), `models/${randomUUID()}/v1.cupel`, "results/.x.csv.part"];
      for (const path of strange) {
        placeFile(state, path, "left behind");
        utimesSync(state.locate(path), NOON, NOON);
      }
      const orphans = listOrphans(database.client, folder);
      expect(orphans.map(({ path }) => path).sort()).toEqual(strange.sort());
      for (const { sizeBytes, modifiedOn } of orphans) expect([sizeBytes, modifiedOn]).toEqual([11, NOON]);
      rmSync(state.locate("results"), { recursive: true });
      expect(listOrphans(database.client, folder)).toHaveLength(2);
    }));
});

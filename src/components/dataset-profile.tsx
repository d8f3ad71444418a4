// A dataset's figures and warnings, and its most frequent class.
import type { DatasetRecord } from "../api/datasets/datasets.ts";
import { judgedInWords } from "../browser/forms/related.ts";
import { formatAmount, formatBytes, formatCount, formatPercent } from "../common/format.ts";
import { withReadersNumbers } from "../common/numbers.ts";
import { Facts, Section } from "./page.tsx";
import { Time } from "./words.tsx";

/** Further warnings are only counted. */
const MOST_WARNINGS = 20;

/** `isShort` leaves out the technical figures. */
export function DatasetFacts({ dataset, isShort = false }: { dataset: DatasetRecord; isShort?: boolean }) {
  const judgedWords = judgedInWords(dataset);
  const { rowCount, columnCount, sizeBytes, numberOfBuckets, labelColumn, createdOn, recommendedThreshold } = dataset;
  const { classes, columns, withoutColumns } = dataset;
  const kinds = [...Map.groupBy(columns, ({ kind }) => kind)].sort(([, a], [, b]) => b.length - a.length);
  const missing = columns.reduce((sum, column) => sum + column.missing, 0);
  const cells = (rowCount ?? 0) * Math.max(1, columns.length);
  return (
    <Facts
      facts={[
        ["Rows with a label", formatCount(rowCount)],
        [
          "Columns",
          <>
            {formatCount(columnCount)}{" "}
            <small>{kinds.map(([kind, { length }]) => `${formatCount(length)} ${kind}`).join(", ")}</small>
          </>,
        ],
        ["Label", <bdi key="label">{labelColumn}</bdi>],
        ["Classes", formatCount(classes.length)],
        ["Missing cells", cells === 0 || missing === 0 ? "none" : formatPercent(Math.min(1, missing / cells))],
        ["Size", formatBytes(sizeBytes)],
        judgedWords !== "" && ["Judged", <bdi key="judged">{judgedWords}</bdi>],
        withoutColumns.length > 0 && ["Left out", <bdi key="left-out">{withoutColumns.join(", ")}</bdi>],
        !isShort && ["Buckets", formatCount(numberOfBuckets)],
        !isShort && ["Created", <Time key="created" at={createdOn} />],
        recommendedThreshold !== undefined && ["Recommended target", formatPercent(recommendedThreshold)],
      ]}
    />
  );
}

/** Always answering the most frequent class is right for `share` of the rows; null without rows. */
export function mostFrequentLabel(classes: DatasetRecord["classes"]): { label: string; share: number | null } {
  const total = classes.reduce((sum, { count }) => sum + count, 0);
  const frequent = classes.toSorted((a, b) => b.count - a.count)[0];
  return { label: frequent?.label ?? "", share: frequent === undefined || total === 0 ? null : frequent.count / total };
}

/** The names of the columns that are not the label, in the order of the file. */
export function featuresOf({ columns, labelColumn }: Pick<DatasetRecord, "columns" | "labelColumn">): string[] {
  return columns.map(({ name }) => name).filter((name) => name !== labelColumn);
}

export function Warnings({ warnings }: { warnings: readonly { code: string; message: string; column?: string }[] }) {
  if (warnings.length === 0) return null;
  const beyond = warnings.length - MOST_WARNINGS;
  return (
    <Section title="Warnings">
      <ul class="warnings">
        {warnings.slice(0, MOST_WARNINGS).map(({ code, message, column }) => (
          <li key={`${code} ${column} ${message}`}>{withReadersNumbers(message)}</li>
        ))}
      </ul>
      {beyond > 0 && <p class="note">There are {formatAmount(beyond, "more warning")} of their kind.</p>}
    </Section>
  );
}

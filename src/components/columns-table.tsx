// The columns of a dataset, one row each: kind, distribution by class, missing values, notes. Long lists can be searched.
import { useState } from "preact/hooks";
import type { Distributions } from "../api/datasets/dataset-preview.ts";
import type { DatasetRecord } from "../api/datasets/datasets.ts";
import { datasets } from "../browser/api.ts";
import type { Choosing } from "../browser/choosing.ts";
import { useLoad } from "../browser/loading.ts";
import { html } from "../charts/markup.ts";
import { distributionCell } from "../charts/sparkline.ts";
import { formatAmount, formatCount, formatPercent } from "../format.ts";
import { classGroups, groupLegend } from "../report/class-groups.ts";
import { sum } from "../report/measures.ts";
import { kindInWords } from "../report/reading-words.ts";
import { textInWords } from "../report/text-words.ts";
import { KindCell, MissingTextsCell, UseCell } from "./choosing/column-cells.tsx";
import { Drawing } from "./drawing.tsx";
import { Table } from "./table.tsx";

const STEP = 50;

interface ColumnsTableProps {
  dataset: DatasetRecord;
  /** Left out where nothing may be chosen. */
  choosing?: Choosing;
}

export function ColumnsTable({ dataset, choosing }: ColumnsTableProps) {
  const { datasetKey, columns, classes, labelColumn, processedOn } = dataset;
  const [search, setSearch] = useState("");
  const [most, setMost] = useState(STEP);
  // A dataset that was read again has other distributions.
  const loaded = useLoad((signal) => datasets.distributions(datasetKey, signal), [datasetKey, processedOn]);
  const wanted = search.trim().toLowerCase();
  const found = columns.filter(({ name }) => name.toLowerCase().includes(wanted));
  const rows = Math.max(1, sum(classes.map(({ count }) => count)));
  const groups = classGroups(classes);
  const histograms = new Map((loaded.value?.columns ?? []).map((column) => [column.name, column]));
  return (
    <div class="columns-list">
      {columns.length > STEP && (
        <search class="search">
          <input
            type="search"
            aria-label="Search columns by name"
            placeholder="Search columns by name"
            value={search}
            onInput={({ currentTarget: { value } }) => setSearch(value)}
          />
        </search>
      )}
      {histograms.size > 0 && <Drawing markup={groupLegend(groups)} />}
      <Table
        caption="Columns in the order of the file"
        rows={found.slice(0, most)}
        keyOf={({ name }) => name}
        columns={[
          {
            head: "Name",
            cell: ({ name }) => (
              <>
                <bdi>{name}</bdi>
                {name === labelColumn && <span class="chip copper">Label</span>}
              </>
            ),
          },
          {
            head: choosing === undefined ? "Kind" : "Kind and use",
            cell: (column) => (
              <>
                {choosing === undefined || column.name === labelColumn ? (
                  <span class="kind">{kindInWords(column)}</span>
                ) : (
                  <span class="stack">
                    <KindCell column={{ ...column, kind: column.kind || null }} choosing={choosing} />
                    <UseCell column={column} choosing={choosing} />
                  </span>
                )}{" "}
                {column.text !== undefined && <small>{textInWords(column.text)}</small>}
              </>
            ),
          },
          ...(histograms.size === 0
            ? []
            : [{ head: "Distribution by class", cell: ({ name }: Column) => sparkOf(histograms.get(name), groups) }]),
          {
            head: "Missing",
            isNumber: true,
            cell: ({ missing }) =>
              missing === 0 ? "none" : `${formatCount(missing)} (${formatPercent(missing / rows)})`,
          },
          ...(choosing === undefined
            ? []
            : [
                {
                  head: "Mean no value",
                  cell: (column: Column) =>
                    column.name !== labelColumn && <MissingTextsCell column={column} choosing={choosing} />,
                },
              ]),
          { head: "Different values", isNumber: true, cell: ({ distinct }) => formatCount(distinct) },
          ...(columns.some(({ warning }) => warning !== null)
            ? [{ head: "Note", cell: ({ warning }: Column) => warning }]
            : []),
        ]}
      />
      {found.length === 0 && <p class="note">No column has “{search}” in its name.</p>}
      {found.length > most && (
        <p class="more">
          <button type="button" class="small" onClick={() => setMost(most + STEP)}>
            Show {formatAmount(Math.min(STEP, found.length - most), "more column")} of{" "}
            {formatCount(found.length - most)}
          </button>
        </p>
      )}
    </div>
  );
}

type Column = DatasetRecord["columns"][number];

/** Null for the label and unused columns, which have no histogram. */
function sparkOf(histogram: Distributions["columns"][number] | undefined, groups: ReturnType<typeof classGroups>) {
  if (histogram === undefined) return null;
  const { name, ...distribution } = histogram;
  return <Drawing markup={html`${distributionCell({ name, distribution }, groups)}`} />;
}

// How a file begins, as it was sent.
import type { Preview } from "../api/datasets/dataset-preview.ts";
import { table } from "../charts/pictures.ts";
import { html, name } from "../common/markup.ts";
import { DrawnSection } from "./drawing.tsx";

const MOST_COLUMNS = 40;

export function FirstRows({ title, opening: { columns, rows } }: { title: string; opening: Preview }) {
  const beyond = columns.length - MOST_COLUMNS;
  const heads = columns.slice(0, MOST_COLUMNS).map((column) => html`<th scope="col">${name(column)}</th>`);
  const head = html`<tr>${heads}${beyond > 0 ? html`<th scope="col">and ${beyond} more</th>` : null}</tr>`;
  const body = rows.map(
    (row) =>
      html`<tr>${row.slice(0, MOST_COLUMNS).map((cell) => html`<td>${cell}</td>`)}${beyond > 0 ? html`<td>…</td>` : null}</tr>`,
  );
  return <DrawnSection title={title} markup={table("First rows of the file", head, body, "preview")} />;
}

// How long the files of something deleted stay on the server (D56), for the question before the delete.
import { formatAmount } from "../common/format.ts";

export type DeletedKind = "dataset" | "dataset of a refinement" | "refinement";

/** `keepDeletedDays` as the server's limits have it. */
export function keptFilesWords(kind: DeletedKind, keepDeletedDays: number | null): string {
  if (kind === "dataset of a refinement") return "Its file is the refinement's, and stays with that.";
  if (kind === "dataset") {
    return (keepDeletedDays ?? 0) === 0
      ? "Its file is removed within minutes."
      : `Its file stays on the server for ${formatAmount(keepDeletedDays!, "day")}, then it is removed.`;
  }
  if (keepDeletedDays === null) return "Its files stay on the server.";
  if (keepDeletedDays === 0) return "Its own files are removed within minutes.";
  return `Its own files stay on the server for ${formatAmount(keepDeletedDays, "day")}, then they are removed.`;
}

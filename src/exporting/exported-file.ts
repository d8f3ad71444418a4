// A file of an export, before it is written.

export interface ExportedFile {
  name: string;
  /** In pieces that follow one another: large files are never in memory twice. */
  content: string | readonly Uint8Array[];
}

// Forms with one file, which is streamed to the disk.
import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { Busboy } from "@fastify/busboy";
import type { StoredFile } from "../../data/files/file-store.ts";
import { shortened } from "../../engine/shortened.ts";
import type { Caller } from "../auth/bearer.ts";
import { formatAmount, formatByteLimit } from "../common/format.ts";
import {
  MOST_FILE_NAME_CHARACTERS,
  MOST_FORM_FIELD_BYTES,
  MOST_FORM_FIELDS,
  MOST_FORM_OVERHEAD_BYTES,
} from "../http/limits.ts";
import { ApiError } from "../http/problem.ts";
import type { ProblemCode } from "../http/problem-codes.ts";
import type { Quotas } from "../storage/quotas.ts";
import { announcedBytes, requireContentType } from "./bodies.ts";
import { type BodyWatch, eachChunk } from "./body-stream.ts";
import { beginFile, type IncomingFile } from "./received-file.ts";

/** For `problems` of a route that takes such a form. */
export const FORM_PROBLEMS: readonly ProblemCode[] = [
  "VALIDATION_FAILED",
  "MALFORMED_MULTIPART",
  "FILE_TOO_SMALL",
  "UPLOAD_INTERRUPTED",
  "REQUEST_TOO_SLOW",
  "BODY_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
  "QUOTA_EXCEEDED",
  "STORAGE_FULL",
];

export interface FormShape extends FormLimits {
  /** Where the file goes: a path that no file has yet, on the same disk as the uploads folder. */
  targetPath: string;
  uploadsFolder: string;
}

type FileSink = Pick<IncomingFile, "sizeBytes" | "write">;

interface FormLimits {
  /** The one name that the file part may have. */
  filePart: string;
  leastFileBytes: number;
  mostFileBytes: number;
  /** A sentence on what to do with a larger file. */
  largerFiles: string;
}

export interface FormWithFile extends StoredFile, FormContent {}

/** The content of a form, whatever its boundary. */
export interface FormContent {
  /** The client's name for the file: for showing, never for a path. Empty if there is none. */
  fileName: string;
  /** The other parts, in order; check them with `readFields(…, "form")`. */
  fields: [name: string, value: string][];
  sha256: string;
}

/**
 * Reads a multipart/form-data body with exactly one file. The file is at its place when this returns, and the caller
 * removes it if it refuses the form after all. If this throws, nothing is left.
 *
 * @throws ApiError UNSUPPORTED_MEDIA_TYPE, MALFORMED_MULTIPART, BODY_TOO_LARGE, FILE_TOO_SMALL, UPLOAD_INTERRUPTED,
 *   REQUEST_TOO_SLOW, STORAGE_FULL
 */
export async function receiveForm(request: Request, shape: FormShape, watch: BodyWatch): Promise<FormWithFile> {
  requireContentType(request, "multipart/form-data");
  const mostBytes = shape.mostFileBytes + MOST_FORM_OVERHEAD_BYTES;
  if ((announcedBytes(request) ?? 0) > mostBytes) throw fileTooLarge(shape);
  const file = await beginFile(shape.uploadsFolder);
  try {
    const form = await readForm(request, shape, watch, file);
    return { ...(await file.place(shape.targetPath)), ...form };
  } catch (error) {
    await file.discard();
    throw error;
  }
}

/** Reads such a form without keeping its file. @throws ApiError as `receiveForm` */
export async function readFormContent(
  request: Request,
  { filePart, mostFileBytes }: Pick<FormShape, "filePart" | "mostFileBytes">,
  watch: BodyWatch,
): Promise<FormContent> {
  const hash = createHash("sha256");
  const file = {
    sizeBytes: 0,
    write: async (piece: Uint8Array) => {
      file.sizeBytes += piece.length;
      hash.update(piece);
    },
  };
  const shape = { filePart, mostFileBytes, leastFileBytes: 0, largerFiles: "" };
  const form = await readForm(request, shape, watch, file);
  return { ...form, sha256: hash.digest("hex") };
}

async function readForm(
  request: Request,
  shape: FormLimits,
  watch: BodyWatch,
  file: FileSink,
): Promise<Omit<FormContent, "sha256">> {
  if (request.body === null) throw malformed("The body is empty.");
  const mostBytes = shape.mostFileBytes + MOST_FORM_OVERHEAD_BYTES;
  const form = new FormReader(request.headers.get("content-type")!, shape);
  let seenBytes = 0;
  await eachChunk(request.body, watch, async (chunk) => {
    seenBytes += chunk.length;
    if (seenBytes > mostBytes) throw fileTooLarge(shape);
    await form.take(chunk, file);
  });
  await form.end(file);
  return { fileName: form.checkFile(file.sizeBytes), fields: form.fields };
}

/**
 * Receives a form within its sender's quota, and passes it to `use`; if that throws, the file is removed. A body of
 * unknown length counts as the largest file. Once `use` is done, a row names the file, and the quota counts the row.
 *
 * @throws QuotaExceeded, and as `receiveForm`
 */
export async function withForm<T>(
  { request, caller, keepAlive }: { request: Request; caller: Caller; keepAlive(seconds: number): void },
  { quotas, uploadsFolder }: { quotas: Pick<Quotas, "hold">; uploadsFolder: string },
  shape: Omit<FormShape, "uploadsFolder">,
  use: (form: FormWithFile) => T | Promise<T>,
): Promise<T> {
  const release = quotas.hold(caller.userKey, announcedBytes(request) ?? shape.mostFileBytes);
  try {
    const form = await receiveForm(request, { ...shape, uploadsFolder }, { keepAlive });
    try {
      return await use(form);
    } catch (error) {
      await rm(form.path, { force: true });
      throw error;
    }
  } finally {
    release();
  }
}

/**
 * Parses the body. The pieces of the file are written before the next chunk is taken: memory holds one chunk and the
 * parser's buffers, and a body that breaks off leaves no stream with an open file.
 */
class FormReader {
  private readonly parser: InstanceType<typeof Busboy>;
  private readonly shape: FormLimits;
  private pieces: Buffer[] = [];
  private fileName: string | null = null;
  private error: ApiError | null = null;
  private isFinished = false;
  /** Ends the wait for the parser, which never answers after an error. */
  private release: () => void = () => undefined;
  readonly fields: [name: string, value: string][] = [];

  constructor(contentType: string, shape: FormLimits) {
    this.shape = shape;
    this.parser = openParser(contentType);
    this.parser.on("error", () => this.fail("The form is not as multipart/form-data has to be."));
    this.parser.on("finish", () => {
      this.isFinished = true;
      this.release();
    });
    this.parser.on("partsLimit", () => this.fail("The form has too many parts."));
    this.parser.on("fieldsLimit", () => this.fail(`The form has more than ${MOST_FORM_FIELDS} fields.`));
    this.parser.on("field", (name, value, _nameTruncated, isTruncated) => this.addField(name, value, isTruncated));
    this.parser.on("file", (name, stream, fileName) => {
      stream.on("data", (piece: Buffer) => this.pieces.push(piece));
      stream.on("error", () => this.fail("The form breaks off in the middle of the file."));
      this.beginFile(name, fileName);
    });
  }

  async take(chunk: Uint8Array, file: FileSink): Promise<void> {
    await this.parsing((done) => this.parser.write(Buffer.from(chunk), done));
    await this.drain(file);
  }

  async end(file: FileSink): Promise<void> {
    if (!this.isFinished) await this.parsing(() => this.parser.end());
    await this.drain(file);
  }

  private parsing(begin: (done: () => void) => void): Promise<void> {
    return new Promise((resolve) => {
      this.release = resolve;
      begin(resolve);
      if (this.error !== null || this.isFinished) resolve();
    });
  }

  /** The name of the file, of which there must be one. */
  checkFile(sizeBytes: number): string {
    const { filePart, leastFileBytes } = this.shape;
    if (this.fileName === null) throw malformed(`The form has no file part named "${filePart}".`);
    if (sizeBytes >= leastFileBytes) return this.fileName;
    throw new ApiError(
      "FILE_TOO_SMALL",
      `The file has ${formatAmount(sizeBytes, "byte")}; it must have at least ${leastFileBytes}.`,
    );
  }

  private async drain(file: FileSink): Promise<void> {
    if (this.error !== null) throw this.error;
    const { pieces } = this;
    this.pieces = [];
    for (const piece of pieces) {
      if (file.sizeBytes + piece.length > this.shape.mostFileBytes) throw fileTooLarge(this.shape);
      await file.write(piece);
    }
  }

  private beginFile(name: string, fileName: string): void {
    const { filePart } = this.shape;
    if (name !== filePart) this.fail(`The file part must be named "${filePart}"; it is named "${shorten(name)}".`);
    else if (this.fileName !== null) this.fail("The form has more than one file.");
    this.fileName = (fileName ?? "").slice(0, MOST_FILE_NAME_CHARACTERS);
  }

  private addField(name: string | undefined, value: string, isTruncated: boolean): void {
    if (name === this.shape.filePart) this.fail(`The part "${name}" must be a file: give it a file name.`);
    else if (name === undefined) this.fail("A part of the form has no name.");
    else if (isTruncated) this.fail(`The field "${shorten(name)}" has more than ${MOST_FORM_FIELD_BYTES} bytes.`);
    else this.fields.push([name, value]);
  }

  /** Only the first fault is reported. */
  private fail(message: string): void {
    this.error ??= malformed(message);
    this.release();
  }
}

function openParser(contentType: string): InstanceType<typeof Busboy> {
  try {
    return new Busboy({
      headers: { "content-type": contentType },
      limits: {
        fields: MOST_FORM_FIELDS,
        fieldSize: MOST_FORM_FIELD_BYTES,
        // Counts parts without a name too, which the parser skips.
        parts: 2 * MOST_FORM_FIELDS,
        headerPairs: 20,
        headerSize: 16 * 1024,
      },
    });
  } catch {
    throw malformed("The content type has no usable boundary.");
  }
}

function fileTooLarge({ mostFileBytes, largerFiles }: FormLimits): ApiError {
  return new ApiError(
    "BODY_TOO_LARGE",
    `The file of a form may have at most ${formatByteLimit(mostFileBytes)} here. ${largerFiles}`,
  );
}

function malformed(message: string): ApiError {
  return new ApiError("MALFORMED_MULTIPART", message);
}

function shorten(text: string | undefined): string {
  return shortened(text ?? "", 60);
}

// A model as a Python program: the reader with the model's file inside.
import { deflateSync } from "node:zlib";
import { InputError } from "../../engine/input-error.ts";
import reader from "../readers/cupel_reader.py" with { type: "text" };

/** Where the reader holds a model, and as what: its file compressed (zlib), in base64. */
const PLACE = "\nMODEL = None\n";
/** Characters of base64: while it starts, Python takes about three times the memory of its program's text. */
const MOST_TEXT = 200_000_000;
/** Bytes that one line holds in base64. */
const LINE_BYTES = 90;

/** @throws InputError MODEL_TOO_LARGE */
export function pythonProgram(model: Uint8Array, mostText = MOST_TEXT): string {
  const base64 = Buffer.from(deflateSync(model)).toString("base64");
  if (base64.length > mostText) {
    throw new InputError(
      "MODEL_TOO_LARGE",
      `The model would take ${Math.round(base64.length / 1e6)} MB of a Python program, ` +
        `and ${mostText / 1e6} MB is the most. Export a smaller version of the model, ` +
        "or take the reader for Python alone, with the model's file beside it.",
    );
  }
  const lines = base64.match(new RegExp(`.{1,${(LINE_BYTES / 3) * 4}}`, "g")) ?? [];
  return reader.replace(PLACE, () => `\nMODEL = """\n${lines.join("\n")}\n"""\n`);
}

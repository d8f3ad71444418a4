// A model as a folder for C: the reader, the model's file and the same as
// an array, and how to build, check and use them.
import { readsTexts, textNames } from "../../engine/export/text-refusals.ts";
import type { ModelFile } from "../../engine/model/model-file.ts";
import type { ExportedFile } from "./exported-file.ts";
import { C_READER } from "./readers.ts";

/** Bytes of a model that is written as an array too: gcc takes 0.3 s and 20 MB for each MiB. */
export const MOST_ARRAY_BYTES = 4 * 2 ** 20;
const WORDS_IN_LINE = 6;

const BUILDS = `cc -std=c99 -O2 -DCUPEL_MAIN cupel.c -o cupel -lm
./cupel model.cupel --check check.json           proves that this machine gives Cupel's answers
./cupel model.cupel NEW.csv > SCORED.csv         scores a file

For a program of yours: cupel.h says how, and the check how much memory the model needs. `;
const WITH_ARRAY = `model.h and model.c are the model for devices without files:
cupel_load(&model, cupel_model_words, cupel_model_length, memory, size), built by cc -std=c99 -O2 main.c cupel.c model.c -lm
`;
const WITHOUT_ARRAY = `Read model.cupel into memory that malloc gave.
`;

const modelHeader = (labelCount: number) => `/* The model as an array, for cupel_load. */
#ifndef CUPEL_MODEL_H
#define CUPEL_MODEL_H

#include <stddef.h>
#include <stdint.h>

/* How many probabilities cupel_score writes. */
#define CUPEL_MODEL_LABELS ${labelCount}

extern const uint64_t cupel_model_words[];
/* In bytes. */
extern const size_t cupel_model_length;

#endif
`;

/** @throws InputError TEXT_NOT_IN_C */
export function cFolder(model: Uint8Array, file: ModelFile): ExportedFile[] {
  if (file.texts !== undefined) throw readsTexts("c", textNames(file));
  const hasArray = model.length <= MOST_ARRAY_BYTES;
  const files: ExportedFile[] = C_READER.map(({ fileName, text }) => ({
    name: fileName,
    content: text(),
  }));
  files.push({ name: "model.cupel", content: [model] });
  if (hasArray) {
    files.push(
      { name: "model.h", content: modelHeader(file.labels.length) },
      { name: "model.c", content: arraySource(model) },
    );
  }
  return [...files, { name: "README.txt", content: BUILDS + (hasArray ? WITH_ARRAY : WITHOUT_ARRAY) }];
}

/** In words of 64 bits, so that it begins where its doubles may. */
function arraySource(model: Uint8Array): string {
  const padded = new Uint8Array(8 * Math.ceil(model.length / 8));
  padded.set(model);
  const fields = new DataView(padded.buffer);
  const lines: string[] = [];
  for (let at = 0; at < padded.length; ) {
    const words: string[] = [];
    for (let count = 0; count < WORDS_IN_LINE && at < padded.length; count++, at += 8) {
      words.push(`0x${fields.getBigUint64(at, true).toString(16)}u`);
    }
    lines.push(`  ${words.join(", ")},`);
  }
  return `#include "model.h"

const size_t cupel_model_length = ${model.length};
const uint64_t cupel_model_words[] = {
${lines.join("\n")}
};
`;
}

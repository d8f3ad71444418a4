// Writes a model as an ONNX file.
import { createHash } from "node:crypto";
import { closeSync, openSync } from "node:fs";
import { onnxModel } from "../engine/export/onnx/onnx-model.ts";
import { unpackModel } from "../engine/model/model-file.ts";
import { readWhole, writeAt } from "./reading/file-chunks.ts";

export interface ExportOnnxRequest {
  modelPath: string;
  /** A new file, which the caller removes where this fails. */
  outputPath: string;
  ml: 2 | 5;
}

/** @throws InputError where the model cannot leave as ONNX */
export function exportOnnx({ modelPath, outputPath, ml }: ExportOnnxRequest): { sizeBytes: number } {
  const bytes = readWhole(modelPath);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const pieces = onnxModel(unpackModel(bytes), { ml, sha256 });
  const output = openSync(outputPath, "wx");
  try {
    let sizeBytes = 0;
    for (const piece of pieces) {
      writeAt(output, piece, sizeBytes);
      sizeBytes += piece.length;
    }
    return { sizeBytes };
  } finally {
    closeSync(output);
  }
}

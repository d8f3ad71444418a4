// A model as a folder for Java: the reader, the model's file, and how to check and use them.
import { READERS } from "../readers/readers.ts";
import type { ExportedFile } from "./exported-file.ts";

const HOW_TO = `java CupelModel.java model.cupel --check check.json              proves that this machine gives Cupel's answers
java CupelModel.java model.cupel NEW.csv --out SCORED.csv        scores a file

Java 11 or newer, nothing else. For a program of yours: javac CupelModel.java, then CupelModel.load(Path.of("model.cupel")).score(row).
`;

export function javaFolder(model: Uint8Array): ExportedFile[] {
  const { fileName, text } = READERS.java;
  return [
    { name: fileName, content: text },
    { name: "model.cupel", content: [model] },
    { name: "README.txt", content: HOW_TO },
  ];
}

// A model as a folder for Java: the reader, the model's file, and instructions to check and use them.
import type { ExportedFile } from "./exported-file.ts";
import { JAVA_READER } from "./readers.ts";

const HOW_TO = `java CupelModel.java model.cupel --check check.json              proves that this machine gives Cupel's answers
java CupelModel.java model.cupel NEW.csv --out SCORED.csv        scores a file

Java 11 or newer, nothing else. For a program of yours: javac CupelModel.java, then CupelModel.load(Path.of("model.cupel")).score(row).
`;

export function javaFolder(model: Uint8Array): ExportedFile[] {
  return [
    { name: JAVA_READER.fileName, content: JAVA_READER.text() },
    { name: "model.cupel", content: [model] },
    { name: "README.txt", content: HOW_TO },
  ];
}

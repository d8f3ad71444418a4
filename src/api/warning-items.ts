// Warnings in answers: what is worth saying of a file and stops nothing.
import { Type } from "@sinclair/typebox";

export const WarningItem = Type.Object({
  code: Type.String({ description: "Stable." }),
  message: Type.String(),
  line: Type.Optional(Type.Integer({ description: "Physical line of the file, from 1." })),
  column: Type.Optional(Type.String({ description: "Column of the file, by name." })),
  count: Type.Optional(Type.Integer({ description: "Cells, rows or columns that it is about." })),
});

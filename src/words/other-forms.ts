// The forms in which a model leaves by the command line, in words.

/** By the word behind --to. ONNX has a button of its own. */
export const OTHER_FORMS: Readonly<Record<string, string>> = {
  python: "a program for Python 3.9 and later, nothing else to install",
  java: "a class for Java 11 and later",
  javascript: "a module for Node and browsers",
  c: "C99 for small devices",
  sql: "a query for a database",
};

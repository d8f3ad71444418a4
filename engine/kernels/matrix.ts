// The matrix that trees learn from, and the settings of a forest.

/** Addresses of arrays in linear memory; those of rows are as long as there are rows. */
export class Matrix {
  static rowCount: i32 = 0;
  static featureCount: i32 = 0;
  static classCount: i32 = 0;
  /** Codes feature by feature, one byte each, or two. */
  static codes: usize = 0;
  static isWide: bool = false;
  /** i32: exclusive upper bound of each feature's codes. */
  static codeCounts: usize = 0;
  /** The largest of them. */
  static mostCodes: i32 = 0;
  /** u8. */
  static classes: usize = 0;
  /** i32: how often each row was drawn for the current tree. */
  static drawn: usize = 0;
}

export class Settings {
  static isRandomCut: bool = false;
  static featuresPerSplit: i32 = 0;
  static minLeafRows: i32 = 0;
  static maxDepth: i32 = 0;
}

/** The address of a feature's codes. */
export function codesOf<Code>(feature: i32): usize {
  return Matrix.codes + usize(feature) * usize(Matrix.rowCount) * sizeof<Code>();
}

// The nodes of trees, as every model of trees keeps them.

/** Nodes of trees that lie one after the other, in parallel arrays; see `Forest`. */
export interface TreeNodes {
  featureCount: number;
  /** Node index of each tree's root. */
  roots: Uint32Array;
  features: Uint16Array;
  thresholds: Uint16Array;
  children: Int32Array;
}

// The words about columns that may give the label away, the same in the verdict on a run and in a refinement.

/** Follows what gives it away: nothing in the table tells a leak from an honest column this strong. */
export const IF_KNOWN_LATER = "If it is only known after the label is, new rows will not have it.";

export const GIVES_AWAY = "gives nearly the whole label away";

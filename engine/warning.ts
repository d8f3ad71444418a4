// Things worth saying that stop nothing.

/** `code` is stable and documented; `line` is physical, from 1; `column` is the column's name. */
export interface Warning {
  code: string;
  message: string;
  line?: number;
  column?: string;
  count?: number;
}

/** The key of an object that holds the columns of an array of objects. No object that is turned into columns may have it. */
export const columnsKey = '$columns';

/** The values of one field of the objects of an array, in order. */
export interface Column {
  name: string;
  /** Of numbers with at most three decimals, some of which have any: each as its step from the one before, in thousandths, the first from 0. */
  steps?: (number | null)[];
  /** Of all others. `Columns` where they are objects. */
  values?: unknown;
  /** The places of the objects that have the field; left out where all have it, as for at least one column. */
  rows?: number[];
}

export interface Columns {
  [columnsKey]: Column[];
}

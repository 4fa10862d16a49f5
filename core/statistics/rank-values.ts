export interface Ranking {
  /** Twice the rank of each value, so that the mean ranks of ties are whole numbers; the smallest value has rank 1. */
  doubledRanks: Int32Array;
  /** How many values each group of equal ones has; 1 where there is no tie. */
  ties: number[];
}

/** Ranks, the mean rank for equal values. */
export function rankValues(values: ArrayLike<number>): Ranking {
  const order = Array.from({ length: values.length }, (_, index) => index).sort((a, b) => values[a]! - values[b]!);
  const doubledRanks = new Int32Array(values.length);
  const ties: number[] = [];
  for (let from = 0; from < order.length;) {
    let to = from + 1;
    while (to < order.length && values[order[to]!] === values[order[from]!]) to++;
    for (let index = from; index < to; index++) doubledRanks[order[index]!] = from + to + 1;
    ties.push(to - from);
    from = to;
  }
  return { doubledRanks, ties };
}

/** Which of the packets that were sent in a row did not arrive. */
export interface Losses {
  lost: number;
  /** Of one or more lost in a row. */
  bursts: number;
}

/** `arrived`: the numbers of the packets that did, from 0 to `sent` − 1, each once and in order, as no packet overtakes another. */
export function countLosses(arrived: readonly number[], sent: number): Losses {
  const ends = [-1, ...arrived, sent];
  let bursts = 0;
  for (let index = 1; index < ends.length; index++) if (ends[index]! - ends[index - 1]! > 1) bursts += 1;
  return { lost: sent - arrived.length, bursts };
}

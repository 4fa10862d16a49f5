import { randomUUID } from 'node:crypto';

/** The Visit that was ordered at that place of a Pass, without its outcome. */
export function makeBenchVisit(passId: string, sequence: number) {
  return {
    id: randomUUID() as string,
    passId,
    sequence,
    url: `http://origin.test/${sequence + 1}`,
    repetition: 1,
    startedEpochMs: Date.now(),
    clockOffsetMs: 0,
    clockErrorMs: 0.1,
  };
}

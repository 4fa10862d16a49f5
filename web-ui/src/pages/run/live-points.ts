import type { RunDetail } from '#core/protocol/api/run.ts';

/** A Visit of a Round under way, as its Agent reported it. */
export interface LivePoint {
  /** The same of each report of one Visit. */
  key: string;
  roundId: string;
  scenario: string;
  totalMs: number;
}

/** With the last Visits that a Run reports, and without those of Rounds that have ended: these are stored. The same array where nothing changes. */
export function addLivePoints(
  points: readonly LivePoint[],
  { rounds }: Pick<RunDetail, 'rounds'>,
): readonly LivePoint[] {
  const underWay = rounds.filter(({ state, warmUp }) => !warmUp && state !== 'completed' && state !== 'broken');
  const ids = new Set(underWay.map(({ id }) => id));
  const kept = points.filter(({ roundId }) => ids.has(roundId));
  const known = new Set(kept.map(({ key }) => key));
  const added = underWay.flatMap(({ id: roundId, scenario, passes }) =>
    passes.flatMap(({ id, visitsMade, lastTotalMs }) => {
      const key = `${id} ${visitsMade}`;
      return lastTotalMs === null || known.has(key) ? [] : [{ key, roundId, scenario, totalMs: lastTotalMs }];
    }),
  );
  return added.length === 0 && kept.length === points.length ? points : [...kept, ...added];
}

import type { TestTime } from './tally.ts';

const slowestShown = 10;

/** The time of each kind, and the slowest files: what to look at when the tests take too long. */
export function describeTimes({ kinds, files }: { kinds: readonly TestTime[]; files: readonly TestTime[] }): string {
  const slowest = files.toSorted((a, b) => b.tookMs - a.tookMs).slice(0, slowestShown);
  const totalMs = kinds.reduce((sum, { tookMs }) => sum + tookMs, 0);
  return [
    'Time by kind',
    ...kinds.map(describeTime),
    describeTime({ name: 'total', tookMs: totalMs }),
    '',
    'Slowest files',
    ...slowest.map(describeTime),
  ].join('\n');
}

function describeTime({ name, tookMs }: TestTime): string {
  return `${(tookMs / 1000).toFixed(1).padStart(8)} s  ${name}`;
}

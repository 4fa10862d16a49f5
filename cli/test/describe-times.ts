import type { TestTime } from './tally.ts';

const slowestShown = 10;

/** The time of each kind, of all (less than their sum where kinds ran side by side), and the slowest files: what to look at when the tests take too long. */
export function describeTimes({
  kinds,
  files,
  totalMs,
}: {
  kinds: readonly TestTime[];
  files: readonly TestTime[];
  totalMs: number;
}): string {
  const slowest = files.toSorted((a, b) => b.tookMs - a.tookMs).slice(0, slowestShown);
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

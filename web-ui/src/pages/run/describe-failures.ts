import type { RoundProgress } from '#core/protocol/api/run.ts';

type Failures = Pick<RoundProgress['totals'], 'failures'>;

/** Why Visits failed, the most frequent first, such as "5 × connection-refused, 1 × timeout"; null when none did. */
export function describeFailures(passes: readonly Failures[]): string | null {
  const counts = new Map<string, number>();
  for (const [code, count] of passes.flatMap(({ failures }) => Object.entries(failures)))
    counts.set(code, (counts.get(code) ?? 0) + count);
  return counts.size === 0
    ? null
    : [...counts]
        .toSorted(([, one], [, other]) => other - one)
        .map(([code, count]) => `${count} × ${code}`)
        .join(', ');
}

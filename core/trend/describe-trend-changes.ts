import { showP } from '../comparison/findings/finding-words.ts';
import { changeAgainst, changeOf, rangeOf } from '../comparison/findings/reduction-words.ts';
import type { TrendChange, TrendChanges } from './find-trend-changes.ts';

/** What changed from Run to Run, in words; or that nothing did, or why that is not known. */
export function describeTrendChanges(found: TrendChanges): string[] {
  switch (found.kind) {
    case 'sought':
      return found.changes.length === 0
        ? [`No change of the reduction is shown in ${found.runs} Runs of the newest settings.`]
        : found.changes.map(describeTrendChange);
    case 'too-few':
      return [
        `A change can be shown from ${found.needed} Runs of the same settings on. There ${found.runs === 1 ? 'is' : 'are'} ${found.runs} with an interval.`,
      ];
    case 'too-many-scenarios':
      return [`No change is looked for in the trend of more than ${found.most} Scenarios.`];
    case 'no-scenario':
      return [];
  }
}

/** The change, its place and its size with their intervals, and how improbable it is. */
export function describeTrendChange({ scenario, at, earliest, latest, before, after, change, p }: TrendChange): string {
  const place =
    earliest.after.runId === latest.after.runId
      ? 'no other place is likely'
      : `95 %: between Runs ${earliest.before.runId} and ${latest.after.runId}`;
  const engines =
    at.before.engines === at.after.engines
      ? ''
      : ` The engine changed, too: ${at.before.engines} to ${at.after.engines}.`;
  return `${scenario} takes ${changeAgainst(change.ratio, ` since Run ${at.after.runId}`)} before, against its baseline (95 % interval ${rangeOf(change)}). Before, it took ${changeAgainst(before)} its baseline; since then ${changeOf(after)}. The change is between Runs ${at.before.runId} and ${at.after.runId} (${place}), ${showP(p)}.${engines}`;
}

import type { FailedObjectsRule } from '../../evaluation/failed-objects-rule.ts';
import { baselineOf, type ComparedGroup } from '../compared-group.ts';
import { findUnequalLosses, lostObjectsCode, type FailedObjects } from '../failed-objects/failed-objects.ts';
import { nameGroup, percent, showP } from '../findings/finding-words.ts';

/** What the rule does with the Visits that lost objects, in words. */
const consequences: Record<FailedObjectsRule, string> = {
  count: 'Their latencies count as they are. A page without some of its objects may look fast.',
  exclude: 'Their latencies are left out, as the Evaluation declares (pageLoad.failedObjects: exclude).',
  fail: `They count as failed (${lostObjectsCode}), as the Evaluation declares (pageLoad.failedObjects: fail).`,
};

interface LostObjects {
  failedObjects: FailedObjects;
  baseline: string;
  groups?: readonly ComparedGroup[] | undefined;
  confidence: number;
}

/** That Visits lost objects which do not fail in every Visit of their page, under which Scenarios, and whether that differs between them. Null where none did. */
export function stateLostObjects({ failedObjects, confidence, ...compared }: LostObjects): string | null {
  const { rule, scenarios } = failedObjects;
  const lossy = scenarios.filter(({ lossyVisits }) => lossyVisits > 0);
  if (lossy.length === 0) return null;
  const unharmed = scenarios
    .filter(({ lossyVisits, visits }) => lossyVisits === 0 && visits > 0)
    .map(({ scenario }) => scenario);
  const counts = [
    ...lossy.map(
      ({ scenario, lossyVisits, visits, lostObjects }) =>
        `${lossyVisits} of ${visits} Visits under ${scenario} (${lostObjects} ${lostObjects === 1 ? 'object' : 'objects'})`,
    ),
    ...(unharmed.length === 0
      ? []
      : [`none under ${unharmed.length > 3 ? `the other ${unharmed.length} Scenarios` : unharmed.join(', ')}`]),
  ];
  const tested = scenarios.filter(({ difference }) => difference !== null && difference.p !== null).length;
  const differing = [...findUnequalLosses(failedObjects, confidence)].map(
    ([scenario, { value, adjustedP }]) =>
      `${nameGroup(compared.groups, scenario)}${scenario} loses objects in ${value > 0 ? 'more' : 'fewer'} of its Visits than ${baselineOf(compared, scenario)} (by ${percent(Math.abs(value))} percentage points, ${showP(adjustedP)}${tested > 1 ? ` corrected for ${tested} Scenarios` : ''}).`,
  );
  return [
    `Some Visits lost objects that other Visits of the same page received: ${counts.join(', ')}.`,
    ...differing,
    consequences[rule],
  ].join(' ');
}

import type { FailedObjectsRule } from '../../evaluation/pages/page-load.ts';
import type { Repetition, AddedRounds } from '../../evaluation/rounds/repetition.ts';
import { spentOnLater } from '../../stop-rule/level-of-look.ts';
import { type ComparedGroup, baselineOf } from '../compared-group.ts';
import type { MetricComparison } from '../comparison.ts';
import { nameGroup, percent, showConfidence, showP } from '../findings/finding-words.ts';
import { changeAgainst, rangeOf } from '../findings/reduction-words.ts';
import { type FailedObjects, findUnequalLosses, lostObjectsCode } from '../failed-objects/failed-objects.ts';
import { flags, type Flag } from '../latencies/flag.ts';
import type { UserComparison } from '../users/compare-users.ts';
import type { Remark } from './remark.ts';

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

interface Remarkable {
  primary: MetricComparison;
  users: UserComparison;
  failedObjects: FailedObjects;
  baseline: string;
  groups?: readonly ComparedGroup[] | undefined;
  confidence: number;
  order: Repetition['order'];
  unsettledVisits: number;
}

/**
 * The reasons for caution that belong to the findings: the order of the Rounds, Visits that failed, lost objects or did not settle, an advantage of the User Agent that
 * starts first, and the flags.
 */
export function stateRemarks({
  primary,
  users,
  failedObjects,
  baseline,
  groups,
  confidence,
  order,
  unsettledVisits,
}: Remarkable): Remark[] {
  const lostObjects = stateLostObjects({ failedObjects, baseline, groups, confidence });
  return [
    ...(order === 'sequential' && primary.scenarios.length > 1
      ? [
          'The Scenarios were measured one after the other: a drift of the conditions looks like a difference between them. No interval accounts for it.',
        ]
      : []
    ).map(remarkAbout('order')),
    ...stateFailed(primary).map(remarkAbout('failed')),
    ...(lostObjects === null ? [] : [lostObjects]).map(remarkAbout('lost-objects')),
    ...stateUnsettled(unsettledVisits).map(remarkAbout('unsettled')),
    ...stateStartOrder(users, { confidence, groups }).map(remarkAbout('start-order')),
    ...stateFlags(primary).map(remarkAbout('flag')),
  ];
}

const remarkAbout =
  (about: Remark['about']) =>
  (text: string): Remark => ({ about, text });

function stateFailed({ scenarios }: MetricComparison): string[] {
  const [visits, failed] = [
    scenarios.reduce((sum, each) => sum + each.visits, 0),
    scenarios.reduce((sum, each) => sum + each.failedVisits, 0),
  ];
  if (failed === 0) return [];
  if (failed === visits) return [`Every Visit failed (${visits} in total).`];
  return [
    `${failed} of ${visits} Visits failed. The figures cover the others. Scenarios are compared on the pages that all of them loaded.`,
  ];
}

function stateUnsettled(visits: number): string[] {
  if (visits === 0) return [];
  return [
    `${visits === 1 ? 'One Visit' : `${visits} Visits`} had not settled by the hard cap. No figure includes what such a page loaded later, so its total latency may be too low.`,
  ];
}

/** For Scenarios where the corrected p of the first to start is at most α. Without the correction, a Run of several Scenarios would too often show a preference by chance. */
function stateStartOrder(
  users: UserComparison,
  { confidence, groups }: Pick<Remarkable, 'confidence' | 'groups'>,
): string[] {
  if (users.kind === 'absent') return [];
  const tested = users.scenarios.filter(({ firstToStart }) => firstToStart !== null && firstToStart.p !== null).length;
  return users.scenarios.flatMap(({ scenario, firstToStart }) => {
    if (!firstToStart) return [];
    const { ratio, low, high, adjustedP } = firstToStart;
    if (adjustedP === null || low === null || high === null || adjustedP > 1 - confidence) return [];
    const correction = tested > 1 ? ` corrected for ${tested} Scenarios` : '';
    return [
      `${nameGroup(groups, scenario)}Under ${scenario}, the User Agent that starts first takes ${changeAgainst(ratio)} its Round’s average (${showConfidence(confidence)} interval ${rangeOf({ ratio, low, high })}, ${showP(adjustedP)}${correction}).`,
    ];
  });
}

function stateFlags({ scenarios }: MetricComparison): string[] {
  const flagged = new Map<Flag, string[]>();
  for (const { scenario, distribution } of scenarios) {
    for (const flag of distribution?.flags ?? []) flagged.set(flag, [...(flagged.get(flag) ?? []), scenario]);
  }
  return [...flagged].map(
    ([flag, names]) => `Flag “${flags[flag].label}” (${names.join(', ')}): ${flags[flag].explanation}`,
  );
}

/** That Visits lost objects, under which Scenarios, and whether that differs between them. Null where none did. */
function stateLostObjects({ failedObjects, confidence, ...compared }: LostObjects): string | null {
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

/** That Rounds were added after the result had been seen, and what that did to the intervals; nothing where none of them was measured. */
export function stateAdded(
  added: readonly AddedRounds[],
  {
    looks,
    confidence,
    intervalConfidence,
    repetition,
  }: { looks: readonly number[]; confidence: number; intervalConfidence: number; repetition: Repetition },
): Remark[] {
  const blocks = looks.at(-1) ?? 0;
  if (looks.length < 2) return [];
  const measured = added.filter(
    ({ firstBlock }, index) => firstBlock <= blocks && added[index + 1]?.firstBlock !== firstBlock,
  );
  const parts = measured.map(
    ({ firstBlock, startedAt, requestedAt }, index) =>
      `${nameBlocks(firstBlock, (measured[index + 1]?.firstBlock ?? blocks + 1) - 1)} on ${(startedAt ?? requestedAt).slice(0, 10)}`,
  );
  const alpha = 1 - confidence;
  const rate = repetition.mayAddRounds
    ? ''
    : ` The Evaluation did not declare this, so up to ${show(alpha * (1 + spentOnLater))} of such Runs show a difference by chance, instead of ${show(alpha)}.`;
  return [
    {
      about: 'added',
      text: `Rounds were added after the result had been seen: ${listInWords(parts)}. To account for these ${looks.length} looks at the result, ${show(confidence)} intervals are computed at ${show(intervalConfidence)}.${rate}`,
    },
  ];
}

function nameBlocks(first: number, last: number): string {
  return first === last ? `Block ${first}` : `Blocks ${first}–${last}`;
}

function show(ratio: number): string {
  return `${Number((100 * ratio).toFixed(2))} %`;
}

/** `A`, `A and B`, or `A, B and C`. */
export function listInWords(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)!}`;
}

import { meanRestMs, type Rest } from '#core/evaluation/users/rest.ts';
import type { RunMethod } from '#core/record/run-method.ts';
import { formatCount, formatNumber } from '../../../format/format-numbers.ts';
import { formatMs } from '../../../format/format-times.ts';

type Users = RunMethod['userAgents'];

/** `2 in each Pass`; where they differ, `1 (alice), 3 (bob) in each Pass`; then what is visited more often. */
export function describeVisitsPerUrl({
  userAgents,
  repeatedPages,
}: Pick<RunMethod, 'userAgents' | 'repeatedPages'>): string {
  const more = repeatedPages.map(
    ({ visits, pages, first }) =>
      `; ${first}${pages > 1 ? ` and ${formatCount(pages - 1, 'other page')}` : ''} ${formatNumber(visits)} times as often`,
  );
  return `${describeEach(userAgents, ({ visitsPerUrl }) => formatNumber(visitsPerUrl))} in each Pass${more.join('')}`;
}

/** `at least 400 ms before each Visit`, or think times. */
export function describeRests(users: Users): string {
  return `${describeEach(users, ({ restMs }) => describeRest(restMs))} before each Visit`;
}

/** Who begins later than the Round, and by how much; null where nobody does. */
export function describeStartOffsets(users: Users): string | null {
  const late = users.filter(({ startOffsetMs }) => startOffsetMs > 0);
  if (late.length === 0) return null;
  return `${describeEach(late, ({ startOffsetMs }) => formatMs(startOffsetMs), { isNamed: true })} after the start of the Round`;
}

function describeRest(rest: Rest): string {
  return typeof rest === 'number'
    ? `at least ${formatMs(rest)}`
    : `think times with a mean of ${formatMs(meanRestMs(rest))}, exponential`;
}

/** Each value once, with the User Agents that have it where there is more than one value; of many, how many they are. */
function describeEach(
  users: Users,
  describe: (user: Users[number]) => string,
  { isNamed = false }: { isNamed?: boolean } = {},
): string {
  const groups = [...Map.groupBy(users, describe)];
  if (groups.length === 1 && !isNamed) return groups[0]![0];
  return groups
    .map(
      ([value, own]) =>
        `${value} (${own.length > 8 ? `${formatNumber(own.length)} User Agents` : own.map(({ name }) => name).join(', ')})`,
    )
    .join(', ');
}

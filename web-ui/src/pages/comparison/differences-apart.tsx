import { Table } from '@mantine/core';
import { causeIds } from '#core/causes/causes.ts';
import type { CausesDifference, ScenarioCauses } from '#core/comparison/causes/causes-comparison.ts';
import { CauseName } from '../../components/causes/cause-bars.tsx';
import classes from '../../components/causes/causes.module.css';
import { Folded } from '../../components/folded.tsx';
import { formatDifferenceMs } from '../../format/format-times.ts';

/** A smaller mean difference is in no row of its own. */
export const leastMs = 1;

/** The parts that are shown, of single pages and of single User Agents. */
export function DifferencesApart({ of: { byPage, byUserAgent, difference } }: { of: ScenarioCauses }) {
  const causes = (difference?.parts ?? []).flatMap(({ cause, isShown, value }) =>
    isShown && Math.abs(value) >= leastMs ? [cause] : [],
  );
  const tables = [
    { name: 'By page', rows: byPage.map(({ label, ...rest }) => ({ name: label, ...rest })) },
    { name: 'By User Agent', rows: byUserAgent.map(({ userAgent, ...rest }) => ({ name: userAgent, ...rest })) },
  ].filter(({ rows }) => rows.length > 1);
  if (tables.length === 0) return null;
  return (
    <Folded
      summary={tables
        .map(({ name }) => name)
        .join(', ')
        .replace(', By', ', by')}
    >
      {tables.map(({ name, rows }) => (
        <Table.ScrollContainer key={name} minWidth={200 + 120 * causes.length} className={classes.causes}>
          <Table w="auto" aria-label={`${name}: differences in ms`} verticalSpacing={4}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{name}, ms</Table.Th>
                <Table.Th className="numeric">Sum</Table.Th>
                {causes.map((cause) => (
                  <Table.Th key={cause} className="numeric">
                    <CauseName cause={cause} />
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map(({ name: row, total, parts }) => (
                <Table.Tr key={row}>
                  <Table.Th scope="row">{row}</Table.Th>
                  <Table.Td className="numeric">{formatBounded(total, 0)}</Table.Td>
                  {causes.map((cause) => (
                    <Table.Td key={cause} className="numeric">
                      {formatDifferenceMs(parts[causeIds.indexOf(cause)]!.value, 0)}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      ))}
    </Folded>
  );
}

/** With its interval where it has one. */
export function formatBounded({ value, low, high }: CausesDifference['total'], decimals: number): string {
  const format = (ms: number) => formatDifferenceMs(ms, decimals);
  return low === null || high === null ? format(value) : `${format(value)} (${format(low)} to ${format(high)})`;
}

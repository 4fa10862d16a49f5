import { Table, Title } from '@mantine/core';
import type { RunMethod } from '#core/record/run-method.ts';
import { AbsentValue } from '../../components/absent-value.tsx';
import { Term } from '../../components/term.tsx';
import { formatNumber } from '../../format/format-number.ts';

/** Measurements of the emulated link before the Rounds, compared with its profile. */
export function LinkCheckTable({ checks }: { checks: RunMethod['linkChecks'] }) {
  return (
    <>
      <Title order={3} mt="sm" id="link-checks">
        <Term of="linkCheck">Link checks</Term>
      </Title>
      <Table.ScrollContainer minWidth={700}>
        <Table aria-label="Link checks" verticalSpacing={5}>
          <Table.Thead>
            <Table.Tr>
              {['Scenario', 'Profile', 'Figure'].map((name) => (
                <Table.Th key={name}>{name}</Table.Th>
              ))}
              {['Expected', 'Mean', 'Range', 'Rounds', 'Out of bounds'].map((name) => (
                <Table.Th key={name} className="numeric">
                  {name}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {checks.map(({ scenario, profile, figure, unit, expected, mean, smallest, largest, rounds, outside }) => (
              <Table.Tr key={`${scenario} ${figure}`}>
                <Table.Td>{scenario}</Table.Td>
                <Table.Td>{profile}</Table.Td>
                <Table.Td>
                  {figure}, {unit === 'kbps' ? 'kb/s' : unit}
                </Table.Td>
                <Table.Td className="numeric">{formatNumber(expected, 1)}</Table.Td>
                <Table.Td className="numeric">
                  {mean === null ? (
                    <AbsentValue reason="No traffic arrived, so nothing was measured." />
                  ) : (
                    formatNumber(mean, 1)
                  )}
                </Table.Td>
                <Table.Td className="numeric">
                  {smallest === null || largest === null
                    ? ''
                    : `${formatNumber(smallest, 1)} to ${formatNumber(largest, 1)}`}
                </Table.Td>
                <Table.Td className="numeric">{formatNumber(rounds)}</Table.Td>
                <Table.Td className="numeric" {...(outside > 0 && { c: 'var(--mantine-color-error)' })}>
                  {formatNumber(outside)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </>
  );
}

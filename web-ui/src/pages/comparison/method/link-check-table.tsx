import { Text, Title } from '@mantine/core';
import type { RunMethod } from '#core/record/run-method.ts';
import { AbsentValue } from '../../../components/absent-value.tsx';
import { DataTable, type DataColumn } from '../../../components/data-table.tsx';
import { Term } from '../../../components/terms/term.tsx';
import { formatNumber } from '../../../format/format-number.ts';

type LinkCheck = RunMethod['linkChecks'][number];

/** Measurements of the emulated link before the Rounds, compared with its profile. */
export function LinkCheckTable({ checks }: { checks: LinkCheck[] }) {
  return (
    <>
      <Title order={3} mt="sm" id="link-checks">
        <Term of="linkCheck">Link checks</Term>
      </Title>
      <DataTable
        label="Link checks"
        rows={checks}
        columns={columns}
        rowKey={(check) => `${check.scenario} ${figureOf(check)}`}
        minWidthPx={820}
        verticalSpacing={5}
      />
    </>
  );
}

const figureOf = ({ segment, figure, unit }: LinkCheck) =>
  `${segment ? `${segment}: ` : ''}${figure}, ${unit === 'kbps' ? 'kb/s' : unit}`;

const columns: DataColumn<LinkCheck>[] = [
  { name: 'Scenario', sortBy: ({ scenario }) => scenario, cell: ({ scenario }) => scenario },
  { name: 'Profile', sortBy: ({ profile }) => profile, cell: ({ profile }) => profile },
  { name: 'Figure', sortBy: figureOf, cell: figureOf },
  { name: 'Expected', isNumeric: true, cell: ({ expected }) => formatNumber(expected, 1) },
  {
    name: 'Mean',
    isNumeric: true,
    cell: ({ mean }) =>
      mean === null ? <AbsentValue reason="No traffic arrived, so nothing was measured." /> : formatNumber(mean, 1),
  },
  {
    name: 'Range',
    isNumeric: true,
    cell: ({ smallest, largest }) =>
      smallest !== null && largest !== null && `${formatNumber(smallest, 1)} to ${formatNumber(largest, 1)}`,
  },
  { name: 'Rounds', isNumeric: true, sortBy: ({ rounds }) => rounds, cell: ({ rounds }) => formatNumber(rounds) },
  {
    name: 'Out of bounds',
    isNumeric: true,
    sortBy: ({ outside }) => outside,
    cell: ({ outside }) =>
      outside > 0 ? (
        <Text span inherit c="var(--mantine-color-error)">
          {formatNumber(outside)}
        </Text>
      ) : (
        formatNumber(outside)
      ),
  },
];

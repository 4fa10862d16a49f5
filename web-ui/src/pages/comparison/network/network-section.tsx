import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Comparison } from '#core/comparison/comparison.ts';
import { httpepFigureIds, httpepFigures, type ScenarioHttpep } from '#core/comparison/network/compare-httpep.ts';
import type { RunMethod } from '#core/record/run-method.ts';
import { methodQuery } from '../../../api/queries.ts';
import { AbsentValue } from '../../../components/absent-value.tsx';
import { DataTable, type DataColumn } from '../../../components/data-table.tsx';
import type { ScenarioStyle } from '../../../components/scenario/scenario-style.ts';
import { Section } from '../../../components/section.tsx';
import { Term, Defined } from '../../../components/terms/term.tsx';
import { formatNumber } from '../../../format/format-numbers.ts';
import { CapturedRounds } from './captured-rounds.tsx';
import { CountedCell } from './counted-cell.tsx';
import { ScenarioFigures } from './scenario-figures.tsx';

type Row = RunMethod['networkFigures'][number];

/** What the emulated network did during the Rounds. Not there where it counted nothing. */
export function NetworkSection({ runId }: { runId: string }) {
  const { data } = useQuery(methodQuery(runId));
  // All Scenarios of a figure beside each other, to be compared.
  const rows = useMemo(
    () => [...Map.groupBy(data?.networkFigures ?? [], ({ figure }) => figure).values()].flat(),
    [data],
  );
  if (rows.length === 0) return null;
  return (
    <Section id="network" title={<Term of="networkFigures">Network during the Rounds</Term>}>
      <DataTable
        label="Network during the Rounds"
        rows={rows}
        columns={columns}
        rowKey={({ scenario, figure }) => `${scenario} ${figure}`}
        minWidthPx={720}
        verticalSpacing={5}
      />
    </Section>
  );
}

const figureOf = ({ figure, unit }: Row) => `${figure}, ${unit}`;

const columns: DataColumn<Row>[] = [
  { name: 'Figure', sortBy: figureOf, cell: figureOf, isRowHeader: true },
  { name: 'Scenario', sortBy: ({ scenario }) => scenario, cell: ({ scenario }) => scenario },
  {
    name: 'Mean',
    isNumeric: true,
    cell: ({ mean }) =>
      mean === null ? <AbsentValue reason="No Round had anything to measure." /> : formatNumber(mean, 1),
  },
  {
    name: 'Range',
    isNumeric: true,
    cell: ({ smallest, largest }) =>
      smallest !== null && largest !== null && `${formatNumber(smallest, 1)} to ${formatNumber(largest, 1)}`,
  },
  { name: 'Rounds', isNumeric: true, sortBy: ({ rounds }) => rounds, cell: ({ rounds }) => formatNumber(rounds) },
];

interface HttpepSectionProps {
  comparison: Comparison;
  styles: Map<string, ScenarioStyle>;
}

/** What HTTPEP counted, Scenario by Scenario. Not there where no Scenario used it. */
export function HttpepSection({ comparison, styles }: HttpepSectionProps) {
  const { httpep } = comparison;
  if (!httpep) return null;
  return (
    <Section id="httpep" title="HTTPEP">
      <ScenarioFigures
        label="HTTPEP by Scenario"
        first="Per Round"
        rows={httpep.scenarios}
        columns={[
          ...httpepFigureIds.map((id) => ({
            name: id,
            heading: <Defined definition={httpepFigures[id].definition}>{httpepFigures[id].label}</Defined>,
            cell: ({ figures }: ScenarioHttpep) => <CountedCell unit={httpepFigures[id].unit} value={figures[id]} />,
          })),
          {
            name: 'rounds',
            heading: <Term of="round">Rounds</Term>,
            widthPx: 130,
            cell: (scenario) => <CapturedRounds captured={scenario} reason={scenario.leftOutReason ?? ''} />,
          },
        ]}
        compared={comparison}
        styles={styles}
        minWidthPx={1500}
        nameWidthPx={230}
      />
      <Text size="xs" c="dimmed">
        Means per Round of what both ends counted, with the ± of their interval. Scenarios without HTTPEP are not in the
        table.
      </Text>
    </Section>
  );
}

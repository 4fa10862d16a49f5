import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { isBaseline } from '#core/comparison/compared-group.ts';
import type { Comparison } from '#core/comparison/comparison.ts';
import { GroupBodies } from '../../../components/group-bodies.tsx';
import { ScenarioName } from '../../../components/scenario/scenario-name.tsx';
import type { ScenarioStyle } from '../../../components/scenario/scenario-style.ts';

interface FigureColumn<Row> {
  name: string;
  heading: ReactNode;
  widthPx?: number;
  cell: (row: Row) => ReactNode;
}

interface ScenarioFiguresProps<Row> {
  label: string;
  /** Above the names of the Scenarios. */
  first: ReactNode;
  rows: readonly Row[];
  columns: readonly FigureColumn<Row>[];
  compared: Pick<Comparison, 'baseline' | 'groups'>;
  styles: Map<string, ScenarioStyle>;
  /** Narrower windows scroll the table. */
  minWidthPx: number;
  /** Of the names, where all columns have a fixed width. */
  nameWidthPx?: number;
}

/** Figures of each Scenario in a row, by group. */
export function ScenarioFigures<Row extends { scenario: string }>(props: ScenarioFiguresProps<Row>) {
  const { label, first, rows, columns, compared, styles, minWidthPx, nameWidthPx } = props;
  return (
    <Table.ScrollContainer minWidth={minWidthPx}>
      <Table aria-label={label} layout={nameWidthPx === undefined ? 'auto' : 'fixed'}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={nameWidthPx}>{first}</Table.Th>
            {columns.map(({ name, heading, widthPx }) => (
              <Table.Th key={name} className="numeric" w={widthPx}>
                {heading}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <GroupBodies
          groups={compared.groups}
          items={rows}
          scenarioOf={({ scenario }) => scenario}
          columns={1 + columns.length}
        >
          {(row) => (
            <Table.Tr key={row.scenario}>
              <Table.Th scope="row">
                <ScenarioName
                  name={row.scenario}
                  style={styles.get(row.scenario)}
                  isBaseline={isBaseline(compared, row.scenario)}
                />
              </Table.Th>
              {columns.map(({ name, cell }) => (
                <Table.Td key={name} className="numeric">
                  {cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          )}
        </GroupBodies>
      </Table>
    </Table.ScrollContainer>
  );
}

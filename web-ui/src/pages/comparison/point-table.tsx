import { Table, Text } from '@mantine/core';
import { isBaseline } from '#core/comparison/compared-group.ts';
import type { Comparison } from '#core/comparison/comparison.ts';
import {
  type PointFigure,
  pointFigureIds,
  pointFigures,
  type ScenarioAtPoint,
} from '#core/comparison/point-comparison.ts';
import { Defined } from '../../components/defined.tsx';
import { GroupBodies } from '../../components/group-bodies.tsx';
import { ScenarioName } from '../../components/scenario-name.tsx';
import type { ScenarioStyle } from '../../components/scenario-style.ts';
import { Term } from '../../components/term.tsx';
import { formatCount } from '../../format/format-count.ts';
import { formatNumber } from '../../format/format-number.ts';
import { PointFigureValue } from './point-figure-value.tsx';

interface PointTableProps {
  point: string;
  scenarios: ScenarioAtPoint[];
  comparison: Pick<Comparison, 'baseline' | 'groups'>;
  styles: Map<string, ScenarioStyle>;
}

/** What crossed one Capture Point in each Scenario. */
export function PointTable({ point, scenarios, comparison, styles }: PointTableProps) {
  return (
    <Table.ScrollContainer minWidth={1040}>
      <Table layout="fixed" aria-label={`Capture Point ${point} by Scenario`}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Per Round</Table.Th>
            {pointFigureIds.map((id) => (
              <Table.Th key={id} className="numeric">
                <Defined definition={pointFigures[id].definition}>{pointFigures[id].label}</Defined>
              </Table.Th>
            ))}
            <Table.Th className="numeric" w={150}>
              <Term of="round">Rounds</Term>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <GroupBodies
          groups={comparison.groups}
          items={scenarios}
          scenarioOf={({ scenario }) => scenario}
          columns={2 + pointFigureIds.length}
        >
          {(scenario) => (
            <Table.Tr key={scenario.scenario}>
              <Table.Th scope="row">
                <ScenarioName
                  name={scenario.scenario}
                  style={styles.get(scenario.scenario)}
                  isBaseline={isBaseline(comparison, scenario.scenario)}
                />
              </Table.Th>
              {pointFigureIds.map((id) => (
                <Table.Td key={id} className="numeric">
                  <PointFigureValue figure={id} value={scenario.figures[id]} />
                  <Encrypted figure={id} scenario={scenario} />
                </Table.Td>
              ))}
              <Table.Td className="numeric">
                <Rounds scenario={scenario} />
              </Table.Td>
            </Table.Tr>
          )}
        </GroupBodies>
      </Table>
    </Table.ScrollContainer>
  );
}

function Encrypted({ figure, scenario }: { figure: PointFigure; scenario: ScenarioAtPoint }) {
  if (figure !== 'httpRequests' || scenario.roundsWithEncryption === 0) return null;
  if (scenario.figures[figure].kind === 'absent') return null;
  return (
    <Text size="xs" c="dimmed">
      without encrypted ones
    </Text>
  );
}

function Rounds({ scenario }: { scenario: ScenarioAtPoint }) {
  const { roundsCounted, roundsLeftOut, leftOutReason, roundsWithDrops } = scenario;
  return (
    <>
      {formatNumber(roundsCounted)}
      {roundsLeftOut > 0 && (
        <Text size="xs" c="dimmed">
          <Defined definition={leftOutReason ?? ''}>without {formatCount(roundsLeftOut, 'Round')}</Defined>
        </Text>
      )}
      {roundsWithDrops > 0 && (
        <Text size="xs" c="var(--mantine-color-error)">
          packets dropped in {formatNumber(roundsWithDrops)}
        </Text>
      )}
    </>
  );
}

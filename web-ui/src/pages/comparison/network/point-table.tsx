import { Text } from '@mantine/core';
import type { Comparison } from '#core/comparison/comparison.ts';
import {
  type PointFigure,
  pointFigureIds,
  pointFigures,
  type ScenarioAtPoint,
} from '#core/comparison/network/point-comparison.ts';
import { Defined } from '../../../components/terms/defined.tsx';
import type { ScenarioStyle } from '../../../components/scenario/scenario-style.ts';
import { Term } from '../../../components/terms/term.tsx';
import { CapturedRounds } from './captured-rounds.tsx';
import { CountedCell } from './counted-cell.tsx';
import { ScenarioFigures } from './scenario-figures.tsx';

interface PointTableProps {
  point: string;
  scenarios: ScenarioAtPoint[];
  comparison: Pick<Comparison, 'baseline' | 'groups'>;
  styles: Map<string, ScenarioStyle>;
}

/** What crossed one Capture Point in each Scenario. */
export function PointTable({ point, scenarios, comparison, styles }: PointTableProps) {
  return (
    <ScenarioFigures
      label={`Capture Point ${point} by Scenario`}
      first="Per Round"
      rows={scenarios}
      columns={[
        ...pointFigureIds.map((id) => ({
          name: id,
          heading: <Defined definition={pointFigures[id].definition}>{pointFigures[id].label}</Defined>,
          cell: (scenario: ScenarioAtPoint) => (
            <>
              <CountedCell unit={pointFigures[id].unit} value={scenario.figures[id]} />
              <Encrypted figure={id} scenario={scenario} />
            </>
          ),
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
      minWidthPx={1120}
      nameWidthPx={230}
    />
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

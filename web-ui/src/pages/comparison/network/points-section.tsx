import { Text, Title, Stack } from '@mantine/core';
import type { Comparison } from '#core/comparison/comparison.ts';
import {
  pointFigureIds,
  pointFigures,
  type PointComparison,
  type PointFigure,
  type ScenarioAtPoint,
} from '#core/comparison/network/compare-points.ts';
import { Section } from '../../../components/section.tsx';
import { Term, Defined } from '../../../components/terms/term.tsx';
import type { ScenarioStyle } from '../../../components/scenario/scenario-style.ts';
import { useMemo, useState } from 'react';
import { ChartFigure } from '../../../components/chart/chart-figure.tsx';
import { ScenarioLegend } from '../../../components/scenario/scenario-legend.tsx';
import { FigureSwitch } from './figure-switch.tsx';
import { countedFigures, pointFigure } from '../figures/interval-figures.ts';
import { CapturedRounds } from './captured-rounds.tsx';
import { CountedCell } from './counted-cell.tsx';
import { ScenarioFigures } from './scenario-figures.tsx';

interface PointsSectionProps {
  comparison: Comparison;
  styles: Map<string, ScenarioStyle>;
}

/** What crossed each Capture Point, Scenario by Scenario. Not there where the Evaluation has no Capture Points. */
export function PointsSection({ comparison, styles }: PointsSectionProps) {
  const { capturePoints } = comparison;
  if (!capturePoints) return null;
  return (
    <Section id="capture-points" title={<Term of="capturePoint">Capture Points</Term>}>
      <PointsChart points={capturePoints} comparison={comparison} styles={styles} />
      {capturePoints.map(({ point, scenarios }) => (
        <div key={point}>
          <Title order={3}>{point}</Title>
          <PointTable point={point} scenarios={scenarios} comparison={comparison} styles={styles} />
        </div>
      ))}
      <Text size="xs" c="dimmed">
        Means per Round. Below each is the change against the baseline, from pairs of Blocks: 1 − the ratio of the
        means. If the baseline has 0, it is the difference.
      </Text>
    </Section>
  );
}

interface PointsChartProps {
  points: PointComparison[];
  comparison: Pick<Comparison, 'baseline' | 'groups' | 'scenarios'>;
  styles: Map<string, ScenarioStyle>;
}

/** What crossed all Capture Points, as bars. Bytes first; only what was counted somewhere can be chosen. */
function PointsChart({ points, comparison, styles }: PointsChartProps) {
  const [chosen, choose] = useState<PointFigure>('bytes');
  const figure = useMemo(() => pointFigure(points, { figure: chosen, styles }), [points, chosen, styles]);
  const counted = countedFigures(points);
  if (counted.length === 0) return null;
  return (
    <ChartFigure
      figure={figure}
      heightPx={300}
      legend={
        <Stack gap="xs">
          <FigureSwitch
            label="Figure of the Capture Points"
            chosen={chosen}
            choose={choose}
            figures={counted.map((id) => ({ value: id, label: pointFigures[id].label }))}
          />
          <ScenarioLegend names={comparison.scenarios} styles={styles} compared={comparison} isOfBars />
        </Stack>
      }
    />
  );
}

interface PointTableProps {
  point: string;
  scenarios: ScenarioAtPoint[];
  comparison: Pick<Comparison, 'baseline' | 'groups'>;
  styles: Map<string, ScenarioStyle>;
}

/** What crossed one Capture Point in each Scenario. */
function PointTable({ point, scenarios, comparison, styles }: PointTableProps) {
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

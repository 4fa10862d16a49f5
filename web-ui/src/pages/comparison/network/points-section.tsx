import { Text, Title } from '@mantine/core';
import type { Comparison } from '#core/comparison/comparison.ts';
import { Section } from '../../../components/section.tsx';
import { Term } from '../../../components/terms/term.tsx';
import type { ScenarioStyle } from '../../../components/scenario/scenario-style.ts';
import { PointTable } from './point-table.tsx';
import { PointsChart } from './points-chart.tsx';

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
        Means per Round. Below each is the change against the baseline, from pairs of Blocks. It is the ratio of the
        means − 1. If the baseline has 0, it is the difference.
      </Text>
    </Section>
  );
}

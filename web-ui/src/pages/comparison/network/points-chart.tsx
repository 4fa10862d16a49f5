import { Stack } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { Comparison } from '#core/comparison/comparison.ts';
import {
  type PointComparison,
  type PointFigure,
  pointFigureIds,
  pointFigures,
} from '#core/comparison/network/point-comparison.ts';
import { ChartFigure } from '../../../components/chart/chart-figure.tsx';
import { ScenarioLegend } from '../../../components/scenario/scenario-legend.tsx';
import type { ScenarioStyle } from '../../../components/scenario/scenario-style.ts';
import { FigureSwitch } from './figure-switch.tsx';
import { pointFigure } from '../figures/point-figure.ts';

interface PointsChartProps {
  points: PointComparison[];
  comparison: Pick<Comparison, 'baseline' | 'groups' | 'scenarios'>;
  styles: Map<string, ScenarioStyle>;
}

/** What crossed all Capture Points, as bars. Bytes first; only what was counted somewhere can be chosen. */
export function PointsChart({ points, comparison, styles }: PointsChartProps) {
  const [chosen, choose] = useState<PointFigure>('bytes');
  const figure = useMemo(() => pointFigure(points, { figure: chosen, styles }), [points, chosen, styles]);
  const counted = pointFigureIds.filter((id) =>
    points.some(({ scenarios }) => scenarios.some(({ figures }) => figures[id].kind === 'measured')),
  );
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
          <ScenarioLegend names={comparison.scenarios} styles={styles} compared={comparison} />
        </Stack>
      }
    />
  );
}

import { Group } from '@mantine/core';
import { isBaseline } from '#core/comparison/compared-group.ts';
import type { Comparison } from '#core/comparison/comparison.ts';
import { ScenarioName } from './scenario-name.tsx';
import type { ScenarioStyle } from './scenario-style.ts';

interface ScenarioLegendProps {
  names: string[];
  styles: Map<string, ScenarioStyle>;
  compared: Pick<Comparison, 'baseline' | 'groups'>;
}

/** Which mark in a chart is whose. */
export function ScenarioLegend({ names, styles, compared }: ScenarioLegendProps) {
  return (
    <Group gap="lg">
      {names.map((name) => (
        <ScenarioName key={name} name={name} style={styles.get(name)} isBaseline={isBaseline(compared, name)} />
      ))}
    </Group>
  );
}

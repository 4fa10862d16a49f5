import { Group } from '@mantine/core';
import { ScenarioName } from './scenario-name.tsx';
import type { ScenarioStyle } from './scenario-style.ts';

interface ScenarioLegendProps {
  names: string[];
  styles: Map<string, ScenarioStyle>;
  baseline: string;
}

/** Which mark in a chart is whose. */
export function ScenarioLegend({ names, styles, baseline }: ScenarioLegendProps) {
  return (
    <Group gap="lg">
      {names.map((name) => (
        <ScenarioName key={name} name={name} style={styles.get(name)} isBaseline={name === baseline} />
      ))}
    </Group>
  );
}

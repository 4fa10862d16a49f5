import { Group } from '@mantine/core';
import { isBaseline } from '#core/comparison/compared-group.ts';
import type { Comparison } from '#core/comparison/comparison.ts';
import { ScenarioName } from './scenario-name.tsx';
import { asBar, type ScenarioStyle } from './scenario-style.ts';
import { cssColour } from './series-colours.ts';

interface ScenarioLegendProps {
  names: string[];
  styles: Map<string, ScenarioStyle>;
  compared: Pick<Comparison, 'baseline' | 'groups'>;
  /** Bars have no shapes. */
  isOfBars?: boolean;
}

/** Which mark in a chart is whose. */
export function ScenarioLegend({ names, styles, compared, isOfBars = false }: ScenarioLegendProps) {
  return (
    <Group gap="4px 20px">
      {names.map((name) => (
        <ScenarioName
          key={name}
          name={name}
          style={isOfBars ? asBar(styles.get(name)!) : styles.get(name)}
          isBaseline={isBaseline(compared, name)}
        />
      ))}
    </Group>
  );
}

/** Which colour in a chart is whose. */
export function UserLegend({ colours }: { colours: Map<string, string> }) {
  return (
    <Group gap="md">
      {[...colours].map(([name, colour]) => (
        <Group key={name} gap={6} wrap="nowrap">
          <svg width="12" height="12" aria-hidden="true">
            <rect width="12" height="12" rx="2" fill={cssColour(colour)} />
          </svg>
          <span style={{ overflowWrap: 'anywhere' }}>{name}</span>
        </Group>
      ))}
    </Group>
  );
}

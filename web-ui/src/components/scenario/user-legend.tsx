import { Group } from '@mantine/core';
import { cssColour } from './series-colours.ts';

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

import { Text } from '@mantine/core';
import { describeNetworkFigure, type NetworkFigure } from '#core/protocol/network-figure.ts';
import { Term } from '../../components/terms/term.tsx';

/** What the emulated network did during a Round. */
export function NetworkFiguresLine({ figures }: { figures: NetworkFigure[] }) {
  return (
    <Text size="sm" c="dimmed">
      <Term of="networkFigures">Network during the Round</Term>: {figures.map(describeNetworkFigure).join(', ')}
    </Text>
  );
}

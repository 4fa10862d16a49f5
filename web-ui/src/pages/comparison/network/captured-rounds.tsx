import { Text } from '@mantine/core';
import { Defined } from '../../../components/terms/term.tsx';
import { formatCount, formatNumber } from '../../../format/format-numbers.ts';

interface CapturedRoundsProps {
  captured: { roundsCounted: number; roundsLeftOut: number; roundsWithDrops?: number };
  /** Why Rounds were left out. */
  reason: string;
}

/** How many Rounds count, and what is missing in them. */
export function CapturedRounds({
  captured: { roundsCounted, roundsLeftOut, roundsWithDrops = 0 },
  reason,
}: CapturedRoundsProps) {
  return (
    <>
      {formatNumber(roundsCounted)}
      {roundsLeftOut > 0 && (
        <Text size="xs" c="dimmed">
          <Defined definition={reason}>without {formatCount(roundsLeftOut, 'Round')}</Defined>
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

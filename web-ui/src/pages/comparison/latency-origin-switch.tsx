import { Group, SegmentedControl, Text } from '@mantine/core';
import type { LatencyOrigin } from '#core/metrics/latency-origin.ts';
import { useIsOffline } from '../../components/report-place.ts';

interface LatencyOriginSwitchProps {
  chosen: LatencyOrigin;
  /** Of the numbers that the page shows; they follow the choice once they are computed. */
  shown: LatencyOrigin;
  onChange: (from: LatencyOrigin) => void;
}

/** From when all latencies of the page count. A saved report only says it: it has the numbers of one choice. */
export function LatencyOriginSwitch({ chosen, shown, onChange }: LatencyOriginSwitchProps) {
  const isOffline = useIsOffline();
  if (isOffline && shown === 'navigation-start') return null;
  return (
    <Group gap="md" align="center">
      {!isOffline && (
        <Group gap="xs" className="no-print">
          <Text size="sm">Latencies from</Text>
          <SegmentedControl
            aria-label="Latencies from"
            size="xs"
            value={chosen}
            onChange={onChange}
            data={[
              { value: 'navigation-start', label: 'navigation start' },
              { value: 'first-request', label: 'first request' },
            ]}
            withItemsBorders={false}
          />
        </Group>
      )}
      <Text size="sm" c="dimmed" aria-live="polite">
        {chosen === shown ? explanations[shown] : 'The Controller is computing the report …'}
      </Text>
    </Group>
  );
}

const explanations: Record<LatencyOrigin, string> = {
  'navigation-start': 'Name resolution, connection and TLS are part of each latency.',
  'first-request':
    'Latencies count from the first request, as in the first HTTP-AE papers. They leave out name resolution, connection and TLS.',
};

import { Group, SegmentedControl, Text } from '@mantine/core';
import { catalogue, latencyIds, type LatencyId } from '#core/metrics/index.ts';
import { shortenLatency } from '../comparison/page-contents.tsx';

interface MetricSwitchProps {
  metric: LatencyId;
  primaryMetric: LatencyId;
  onChange: (metric: LatencyId) => void;
}

/** Which of the three latencies is shown, with its definition. */
export function MetricSwitch({ metric, primaryMetric, onChange }: MetricSwitchProps) {
  return (
    <Group gap="md" align="center">
      <SegmentedControl
        aria-label="Metric"
        value={metric}
        onChange={onChange}
        data={latencyIds.map((id) => ({ value: id, label: shortenLatency(catalogue[id].label) }))}
        withItemsBorders={false}
      />
      <Text size="sm" c="dimmed" maw={560}>
        {catalogue[metric].definition}
        {metric === primaryMetric && ' This is the primary metric.'}
      </Text>
    </Group>
  );
}

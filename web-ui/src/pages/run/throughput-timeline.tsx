import { Box, Skeleton, Table, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { ByteSeries } from '#core/packets/measures/byte-series.ts';
import { formatNumber } from '../../format/format-number.ts';
import { sumBySecond } from './throughput-points.ts';

const ThroughputChart = lazy(async () => ({ default: (await import('./throughput-chart.tsx')).ThroughputChart }));
const chartHeightPx = 220;

interface ThroughputTimelineProps {
  received: ByteSeries;
  sent: ByteSeries;
  originEpochMs: number;
}

/** Throughput over time: drawn, and as a table by the second. */
export function ThroughputTimeline({ received, sent, originEpochMs }: ThroughputTimelineProps) {
  return (
    <div>
      <Suspense fallback={<Skeleton height={chartHeightPx} />}>
        <ThroughputChart received={received} sent={sent} originEpochMs={originEpochMs} heightPx={chartHeightPx} />
      </Suspense>
      <details>
        <summary>
          <Text span size="sm">
            Throughput by the second
          </Text>
        </summary>
        <Box mah={320} style={{ overflowY: 'auto' }}>
          <ThroughputTable received={sumBySecond(received, originEpochMs)} sent={sumBySecond(sent, originEpochMs)} />
        </Box>
      </details>
    </div>
  );
}

function ThroughputTable({ received, sent }: { received: Map<number, number>; sent: Map<number, number> }) {
  const seconds = [...new Set([...received.keys(), ...sent.keys()])].toSorted((a, b) => a - b);
  const kbps = (bytes = 0) => formatNumber((bytes * 8) / 1000, 1);
  return (
    <Table w="auto" aria-label="Throughput by the second">
      <Table.Thead>
        <Table.Tr>
          <Table.Th className="numeric">Second</Table.Th>
          <Table.Th className="numeric">Received, kb/s</Table.Th>
          <Table.Th className="numeric">Sent, kb/s</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {seconds.map((second) => (
          <Table.Tr key={second}>
            <Table.Td className="numeric">{formatNumber(second)}</Table.Td>
            <Table.Td className="numeric">{kbps(received.get(second))}</Table.Td>
            <Table.Td className="numeric">{kbps(sent.get(second))}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

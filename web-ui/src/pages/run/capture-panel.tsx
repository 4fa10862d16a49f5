import { Alert, Button, Group, Stack, Text, Box, Skeleton, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, lazy, Suspense } from 'react';
import type { CaptureOutcome } from '#core/protocol/capture-outcome.ts';
import { captureQuery } from '../../api/queries.ts';
import { tracePath, type CaptureOwner } from '../../api/capture-requests.ts';
import { Facts, type Fact } from '../../components/facts.tsx';
import { loadPage } from '../../api/load-page.ts';
import { QueryContent } from '../../components/query-content.tsx';
import { formatCount, formatBytes, formatNumber } from '../../format/format-numbers.ts';
import type { DelaySummary } from '#core/packets/measures/delay-summary.ts';
import { AbsentValue } from '../../components/absent-value.tsx';
import { Term } from '../../components/terms/term.tsx';
import type { ByteSeries } from '#core/packets/measures/byte-series.ts';
import { formatMs } from '../../format/format-times.ts';
import { sumBySecond } from './throughput-points.ts';

const ThroughputChart = lazy(async () => ({
  default: (await loadPage(() => import('./throughput-chart.tsx'))).ThroughputChart,
}));
const chartHeightPx = 220;

interface ThroughputTimelineProps {
  received: ByteSeries;
  sent: ByteSeries;
  originEpochMs: number;
}

type Captured = Extract<CaptureOutcome, { kind: 'captured' }>;

/** The packets of one Pass, or at one Capture Point in one Round. */
export function CapturePanel({ owner }: { owner: CaptureOwner }) {
  const query = useQuery(captureQuery(owner));
  return (
    <QueryContent query={query} what="The Capture">
      {(outcome) =>
        outcome.kind === 'captured' ? (
          <CaptureContent owner={owner} capture={outcome} />
        ) : (
          <Text size="sm" c="dimmed">
            No packets: {outcome.reason}
          </Text>
        )
      }
    </QueryContent>
  );
}

function CaptureContent({ owner, capture }: { owner: CaptureOwner; capture: Captured }) {
  const { statistics, trace, isLimited, isBrokenOff } = capture;
  const { received, sent } = statistics.throughput;
  return (
    <Stack gap="sm">
      <Losses capture={capture} />
      {isLimited && (
        <Warning>The trace reached its length limit before the Pass ended. The rest is missing here.</Warning>
      )}
      {isBrokenOff && <Warning>The Round was aborted. These are the packets up to then.</Warning>}
      <Facts facts={listCaptureFacts(capture)} />
      {received && sent && statistics.startEpochNs !== null && (
        <ThroughputTimeline received={received} sent={sent} originEpochMs={Number(statistics.startEpochNs) / 1e6} />
      )}
      <Group gap="sm">
        {trace.kind === 'kept' ? (
          <Button component="a" href={tracePath(owner)} download variant="default" size="compact-sm">
            Download the trace ({formatBytes(trace.bytes)})
          </Button>
        ) : (
          <Text size="sm" c="dimmed">
            No trace: {trace.reason}
          </Text>
        )}
      </Group>
    </Stack>
  );
}

function Losses({ capture: { droppedByKernel, droppedByInterface, receivedPackets } }: { capture: Captured }) {
  const dropped = droppedByKernel + droppedByInterface;
  if (dropped === 0) return null;
  return (
    <Warning>
      The capture dropped {formatCount(dropped, 'packet')} of{' '}
      {formatCount(receivedPackets + droppedByInterface, 'packet')}. These figures do not include them.
    </Warning>
  );
}

function Warning({ children }: { children: ReactNode }) {
  return (
    <Alert color="red" variant="light" py="xs">
      {children}
    </Alert>
  );
}

/** The figures of a Capture, shown beside its timeline. */
function listCaptureFacts(capture: Extract<CaptureOutcome, { kind: 'captured' }>): Fact[] {
  const { packets, directions, tcp, carriers = [] } = capture.statistics;
  const dropped = capture.droppedByKernel + capture.droppedByInterface;
  return [
    { label: 'packets', value: formatNumber(packets) },
    ...(directions
      ? [
          { label: 'received', value: formatBytes(directions.received.bytes) },
          { label: 'sent', value: formatBytes(directions.sent.bytes) },
        ]
      : []),
    ...(tcp
      ? [
          { label: 'TCP connections', value: formatNumber(tcp.connections) },
          { label: 'connections failed', value: formatNumber(tcp.failed), isAlarming: tcp.failed > 0 },
          {
            label: <Term of="signalling">signalling</Term>,
            value: `${formatCount(tcp.signalling.packets, 'packet')}, ${formatBytes(tcp.signalling.bytes)}`,
          },
          { label: 'retransmissions', value: formatNumber(tcp.retransmissions) },
          {
            label: 'handshake RTT',
            value: <Delay delay={tcp.handshakeRtt} absence="No connection was opened in this Capture." />,
          },
          {
            label: 'RTT of requests',
            value: <Delay delay={tcp.sentAckRtt} absence="No segment that was sent once was acknowledged." />,
          },
        ]
      : []),
    ...carriers.map(({ name, packets: ofCarrier }) => ({
      label: `in ${name}, not looked into`,
      value: formatNumber(ofCarrier),
      isAlarming: true,
    })),
    { label: 'dropped', value: formatNumber(dropped), isAlarming: dropped > 0 },
  ];
}

function Delay({ delay, absence }: { delay: DelaySummary | null; absence: string }) {
  return delay ? formatMs(delay.meanMs) : <AbsentValue reason={absence} />;
}

/** Throughput over time: drawn, and as a table by the second. */
function ThroughputTimeline({ received, sent, originEpochMs }: ThroughputTimelineProps) {
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

import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { CaptureOutcome } from '#core/protocol/capture-outcome.ts';
import { captureQuery } from '../../api/queries.ts';
import { tracePath, type CaptureOwner } from '../../api/capture-requests.ts';
import { Facts } from '../../components/facts.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { formatBytes } from '../../format/format-bytes.ts';
import { formatCount } from '../../format/format-count.ts';
import { listCaptureFacts } from './capture-facts.tsx';
import { ThroughputTimeline } from './throughput-timeline.tsx';

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

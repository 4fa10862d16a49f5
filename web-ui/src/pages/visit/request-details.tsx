import { Stack, Text } from '@mantine/core';
import { causes } from '#core/causes/causes.ts';
import type { PathStep } from '#core/causes/critical-path.ts';
import type { WaterfallRow } from '#web-ui/src/waterfall/build-waterfall.ts';
import { Facts, type Fact } from '../../components/facts.tsx';
import { MeasuredUrl } from '../../components/measured-url.tsx';
import { formatBytes } from '../../format/format-numbers.ts';
import { formatMs } from '../../format/format-times.ts';
import { phaseWords } from './waterfall-legend.tsx';

/** All that is known of one request. */
export function RequestDetails({ row, path = [] }: { row: WaterfallRow; path?: readonly PathStep[] }) {
  const {
    url,
    type,
    status,
    failure,
    protocol,
    connection,
    serverAddress,
    frameUrl,
    initiatorUrl,
    viewportNeed,
    receivedBytes,
    decodedBytes,
    startMs,
    endMs,
    phases,
  } = row;
  const ifKnown = (label: string, value: string | number | null): Fact[] =>
    value === null ? [] : [{ label, value: String(value) }];
  return (
    <Stack gap="xs" aria-live="polite">
      <Text size="sm" fw={600}>
        <MeasuredUrl url={url} />
      </Text>
      <Facts
        facts={[
          { label: 'started', value: formatMs(startMs) },
          { label: 'ended', value: endMs === null ? 'still in flight' : formatMs(endMs) },
          ...phases.map(({ kind, startMs: start, endMs: end }) => ({
            label: phaseWords[kind].label,
            value: formatMs(end - start),
          })),
        ]}
      />
      {path.length > 0 && <OnPath path={path} />}
      <Facts
        facts={[
          ...ifKnown('status', status),
          ...(failure === null ? [] : [{ label: 'failure', value: failure, isAlarming: true }]),
          { label: 'type', value: type },
          ...ifKnown('protocol', protocol),
          ...ifKnown('connection', connection),
          ...ifKnown('server', serverAddress),
          ...ifKnown('transferred', receivedBytes === null ? null : formatBytes(receivedBytes)),
          ...ifKnown('decoded', decodedBytes === null ? null : formatBytes(decodedBytes)),
          ...ifKnown('in the viewport as', viewportNeed),
          ...ifKnown('requested by', initiatorUrl),
          ...ifKnown('in the frame', frameUrl),
        ]}
      />
    </Stack>
  );
}

/** What of the latency this request decided. */
function OnPath({ path }: { path: readonly PathStep[] }) {
  const byCause = Map.groupBy(path, ({ cause }) => cause);
  const isAssumed = path.some((step) => step.isAssumed);
  return (
    <div>
      <Text size="sm">On the critical path of the latency:</Text>
      <Facts
        facts={[...byCause].map(([cause, steps]) => ({
          label: causes[cause].label,
          value: formatMs(steps.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0)),
        }))}
      />
      {isAssumed && (
        <Text size="xs" c="dimmed">
          The browser does not say what asked for the next object on the path. This is what it most likely waited for.
        </Text>
      )}
    </div>
  );
}

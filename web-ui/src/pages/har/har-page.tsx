import { Anchor, Button, FileButton, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState, type ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import { layOutTimings, type RequestPhase } from '#core/causes/request-phases.ts';
import { mostHarBytes, readHar, type HarLoad, type ReadHar, type HarRequest } from '#core/har/read-har.ts';
import type { VisitDetail } from '#core/protocol/api/stored-visit.ts';
import { buildWaterfall, type Waterfall, type WaterfallRow } from '#web-ui/src/waterfall/build-waterfall.ts';
import { visitQuery } from '../../api/queries.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { RowsSkeleton } from '../../components/rows-skeleton.tsx';
import { Section } from '../../components/section.tsx';
import { formatBytes, formatCount } from '../../format/format-numbers.ts';
import { formatTime } from '../../format/format-times.ts';
import { makeScale } from '../visit/time-lane.tsx';
import { markVisit, type VisitMarker } from '../visit/visit-markers.ts';
import { WaterfallLegend } from '../visit/waterfall-legend.tsx';
import { PlainWaterfall } from '../visit/waterfall-table.tsx';

/** A file that is open, and which of its pages is shown. */
interface OpenHar {
  key: number;
  fileName: string;
  har: ReadHar;
  page: number;
}

/** What is drawn of one load. */
interface DrawnLoad {
  key: string;
  title: string;
  about: ReactNode;
  beside: ReactNode;
  waterfall: Waterfall;
  markers: VisitMarker[];
}

/** Loads that other programs recorded, under each other on one time axis, below a Visit if the address names one. Files are read in the browser, and stored nowhere. */
export function HarPage() {
  const [search] = useSearchParams();
  const visitId = search.get('visit');
  const query = useQuery({ ...visitQuery(visitId ?? ''), enabled: visitId !== null });
  const visit = query.data;
  const [files, setFiles] = useState<OpenHar[]>([]);
  const [refused, setRefused] = useState<Error[]>([]);
  const change = (key: number, page: number | null) =>
    setFiles((open) => open.flatMap((file) => (file.key !== key ? file : page === null ? [] : { ...file, page })));
  const loads = [
    ...useVisitLoad(visit ?? null),
    ...files.map((file) => drawFile(file, (page) => change(file.key, page))),
  ];
  const endMs = Math.max(
    ...loads.flatMap(({ waterfall, markers }) => [waterfall.endMs, ...markers.map(({ atMs }) => atMs)]),
  );
  return (
    <>
      <PageHeader
        title="HARs"
        parent={
          visit ? { to: `/runs/${visit.runId}/visits/${visit.id}`, label: 'Visit' } : { to: '/runs', label: 'Runs' }
        }
        description="Loads that browsers and other programs recorded, to compare by eye. This browser reads the files, and stores nothing. No statistics are made of them."
        actions={
          <OpenHarButton
            onChoose={() => setRefused([])}
            onOpen={(file) => setFiles((open) => [...open, file])}
            onRefuse={(error) => setRefused((others) => [...others, error])}
          />
        }
      />
      {query.error && <ProblemAlert title="The Visit cannot be shown" error={query.error} />}
      {query.isLoading && <RowsSkeleton />}
      {visit?.snapshot === null && (
        <Text size="sm" c="dimmed">
          The Visit has no Snapshot, so it is not shown here.
        </Text>
      )}
      {refused.map((error, index) => (
        <ProblemAlert key={index} title="File not opened" error={error} />
      ))}
      {files.length === 0 && (
        <EmptyState title="No HAR is open">
          Save a load in the network panel of a browser, or let a test suite write it. Then open the file here.
        </EmptyState>
      )}
      {loads.map((load) => (
        <LoadSection key={load.key} load={load} endMs={endMs} />
      ))}
    </>
  );
}

let lastKey = 0;

interface OpenHarButtonProps {
  onChoose: () => void;
  onOpen: (file: OpenHar) => void;
  onRefuse: (error: Error) => void;
}

function OpenHarButton({ onChoose, onOpen, onRefuse }: OpenHarButtonProps) {
  const reset = useRef<() => void>(null);
  const open = (files: File[]) => {
    reset.current?.(); // a file that was corrected can be opened again
    onChoose();
    for (const file of files) readFile(file).then(onOpen, onRefuse);
  };
  return (
    <FileButton accept=".har,application/json" multiple onChange={open} resetRef={reset}>
      {(props) => <Button {...props}>Open HAR</Button>}
    </FileButton>
  );
}

async function readFile(file: File): Promise<OpenHar> {
  if (file.size > mostHarBytes)
    throw new Error(
      `${file.name} has more than ${formatBytes(mostHarBytes)}: save it without the contents of responses`,
    );
  const har = readHar(new Uint8Array(await file.arrayBuffer()), file.name);
  return { key: ++lastKey, fileName: file.name, har, page: 0 };
}

function useVisitLoad(visit: VisitDetail | null): DrawnLoad[] {
  return useMemo(() => {
    if (!visit?.snapshot) return [];
    const waterfall = buildWaterfall(visit.snapshot);
    return [
      {
        key: visit.id,
        title: 'Visit',
        about: (
          <>
            {visit.scenario}, {visit.userAgent}, Block {visit.block}, {formatTime(visit.startedAt)}, {count(waterfall)}
          </>
        ),
        beside: (
          <Anchor component={Link} to={`/runs/${visit.runId}/visits/${visit.id}`} size="sm">
            This Visit alone
          </Anchor>
        ),
        waterfall,
        markers: markVisit(visit),
      },
    ];
  }, [visit]);
}

/** By the load: a file is laid out once. */
const laidOut = new WeakMap<HarLoad, Waterfall>();

function drawFile({ key, fileName, har, page }: OpenHar, onChange: (page: number | null) => void): DrawnLoad {
  const load = har.pages[page]!;
  const waterfall = laidOut.get(load) ?? layOutHar(load);
  laidOut.set(load, waterfall);
  const { title, startEpochMs, leftOut, moments } = load;
  return {
    key: String(key),
    title: fileName,
    about: (
      <>
        {title}, by {har.creator}, {formatTime(new Date(startEpochMs).toISOString())}, {count(waterfall)}
        {leftOut > 0 && `, ${formatCount(leftOut, 'URL')} outside the network left out`}
      </>
    ),
    beside: (
      <Group gap="xs">
        {har.pages.length > 1 && (
          <NativeSelect
            size="xs"
            aria-label={`Page of ${fileName}`}
            value={page}
            onChange={({ currentTarget }) => onChange(Number(currentTarget.value))}
            data={har.pages.map((each, index) => ({ value: String(index), label: `${index + 1}. ${each.title}` }))}
          />
        )}
        <Button size="compact-sm" variant="default" aria-label={`Close ${fileName}`} onClick={() => onChange(null)}>
          Close
        </Button>
      </Group>
    ),
    waterfall,
    markers: markVisit({ readings: moments }),
  };
}

const count = ({ rows }: Waterfall) => formatCount(rows.length, 'request');

function LoadSection({ load, endMs }: { load: DrawnLoad; endMs: number }) {
  const { title, about, beside, waterfall, markers } = load;
  return (
    <Section title={title} beside={beside}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {about}
        </Text>
        <WaterfallLegend markers={markers} />
        <PlainWaterfall of={title} rows={waterfall.rows} scale={makeScale(endMs, markers)} />
      </Stack>
    </Section>
  );
}

/** The requests of a page of a HAR, as those of a Visit are drawn. */
export function layOutHar({ requests, startEpochMs }: HarLoad): Waterfall {
  const connections = new Map<string, number>();
  const rows = requests.map((request, index): WaterfallRow => {
    const { url, type, failure, status, protocol, fromCache, serverAddress, initiatorUrl, connectionId, timeMs } =
      request;
    const { receivedBytes, decodedBytes } = request;
    if (connectionId !== null && !connections.has(connectionId)) connections.set(connectionId, connections.size + 1);
    const startMs = request.startEpochMs - startEpochMs;
    const phases = layOut(request, startMs);
    const lastMs = phases.at(-1)?.endMs ?? startMs;
    return {
      key: String(index),
      url,
      type,
      failure,
      status,
      protocol,
      fromCache,
      serverAddress,
      initiatorUrl,
      receivedBytes,
      decodedBytes,
      startMs,
      endMs: timeMs === null ? lastMs : startMs + timeMs,
      phases,
      viewportNeed: null,
      frameUrl: null,
      connection: connectionId === null ? null : connections.get(connectionId)!,
    };
  });
  const endMs = rows.reduce((last, row) => Math.max(last, row.endMs ?? 0, row.phases.at(-1)?.endMs ?? 0), 0);
  return { rows, originEpochMs: startEpochMs, endMs };
}

function layOut({ timings, timeMs }: HarRequest, startMs: number): RequestPhase[] {
  const phases = layOutTimings(timings, startMs);
  if (phases.length > 0 || !timeMs) return phases;
  return [{ kind: 'undivided', startMs, endMs: startMs + timeMs }];
}

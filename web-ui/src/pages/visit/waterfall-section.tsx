import { Group, SegmentedControl, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useMemo, useState, type ReactNode } from 'react';
import { latencyIds } from '#core/metrics/index.ts';
import type { Snapshot } from '#core/metrics/snapshot.ts';
import { placePath, type Waterfall, type WaterfallRow } from '#web-ui/src/waterfall/build-waterfall.ts';
import { CauseBars } from '../../components/causes/cause-bars.tsx';
import causeClasses from '../../components/causes/causes.module.css';
import { Section } from '../../components/section.tsx';
import { formatCount, formatBytes, formatNumber } from '../../format/format-numbers.ts';
import { formatMs } from '../../format/format-times.ts';
import { Filmstrip } from './film-of-visit.tsx';
import { ThroughputFoot } from './throughput-foot.tsx';
import { makeScale, TimeLane, type TimeScale } from './time-lane.tsx';
import { type SeenVisit, endOfVisit, pathOf } from './use-seen-visit.ts';
import { markVisit } from './visit-markers.ts';
import { WaterfallLegend } from './waterfall-legend.tsx';
import { WaterfallTable } from './waterfall-table.tsx';
import { Term } from '../../components/terms/term.tsx';
import { AbsentValue } from '../../components/absent-value.tsx';
import { hostOf } from './name-objects.ts';
import { TimeTable, type TimeColumn } from './time-table.tsx';
import classes from './waterfall.module.css';

interface ConnectionLanesProps {
  rows: WaterfallRow[];
  scale: TimeScale;
  films: { name: ReactNode; strip: ReactNode }[];
  foot: ReactNode;
}

/** As wide as those of the requests: the time axis stays where it is. */
const columns: TimeColumn[] = [
  { name: 'Connection' },
  { name: 'Protocol', widthPx: 70 },
  { name: 'Requests', widthPx: 80, isNumber: true },
  { name: 'Size', widthPx: 62, isNumber: true },
];

const views = [
  { value: 'requests', label: 'Requests' },
  { value: 'connections', label: 'Connections' },
];

interface WaterfallSectionProps {
  seen: SeenVisit;
  waterfall: Waterfall;
  viewport: Snapshot['viewport'];
}

/** What the page fetched, and when. */
export function WaterfallSection({ seen, waterfall: { rows, originEpochMs }, viewport }: WaterfallSectionProps) {
  const [view, setView] = useState('requests');
  const [chosenKey, setChosenKey] = useState<string | null>(null);
  const { visit, looks, noFilm, causes } = seen;
  const path = useMemo(() => placePath(pathOf(seen), rows), [seen, rows]);
  const { filmstrip } = visit;
  const scale = makeScale(endOfVisit(seen), markVisit(visit));
  const hasConnections = rows.some(({ connection }) => connection !== null);
  const foot = <ThroughputFoot visit={visit} originEpochMs={originEpochMs} scale={scale} columnsBefore={4} />;
  const films =
    filmstrip?.kind === 'kept'
      ? [
          {
            name: <strong>Film</strong>,
            strip: <Filmstrip looks={looks} leftOut={filmstrip.leftOut} viewport={viewport} scale={scale} />,
          },
        ]
      : [];
  return (
    <Section
      title="Waterfall"
      beside={
        hasConnections && (
          <SegmentedControl
            size="xs"
            aria-label="Lanes of the waterfall"
            data={views}
            value={view}
            onChange={setView}
          />
        )
      }
    >
      <Stack gap="sm" className={causeClasses.causes}>
        {causes && <CausesOfVisit causes={causes} />}
        <Group justify="space-between" align="end">
          <WaterfallLegend markers={scale.markers} />
          <Text size="xs" c="dimmed">
            {formatCount(rows.length, 'request')}
            {describeNeeded(rows)}
          </Text>
        </Group>
        {noFilm !== null && (
          <Text size="sm" c="dimmed">
            No film: {noFilm}.
          </Text>
        )}
        {view === 'connections' ? (
          <ConnectionLanes rows={rows} scale={scale} films={films} foot={foot} />
        ) : (
          <WaterfallTable
            rows={rows}
            scale={scale}
            path={path}
            chosenKey={chosenKey}
            onChoose={(key) => setChosenKey(key === chosenKey ? null : key)}
            films={films}
            foot={foot}
          />
        )}
      </Stack>
    </Section>
  );
}

/** As many as have a diamond. The page itself is no object of its viewport, as in the Reading. */
export function describeNeeded(rows: readonly Pick<WaterfallRow, 'viewportNeed'>[]): string {
  const needed = rows.filter(({ viewportNeed }) => viewportNeed !== null);
  const objects = needed.filter(({ viewportNeed }) => viewportNeed !== 'page').length;
  if (needed.length === 0) return '';
  const parts = [
    ...(needed.length > objects ? ['the page'] : []),
    ...(objects > 0 ? [formatCount(objects, 'object')] : []),
  ];
  return `; the viewport needs ${parts.join(' and ')} (${needed.length}\u00A0◆)`;
}

/** What each latency is made of. */
function CausesOfVisit({ causes }: { causes: NonNullable<SeenVisit['causes']> }) {
  const bars = latencyIds.flatMap((id) => {
    const split = causes[id];
    return split ? [{ key: id, name: <Term metric={id} />, parts: split.parts }] : [];
  });
  const paths = Math.max(...latencyIds.map((id) => causes[id]?.paths ?? 0));
  if (bars.length === 0) return null;
  return (
    <div>
      <CauseBars bars={bars} />
      <Text size="xs" c="dimmed">
        Where the time went, on the path that decided each latency. In the waterfall, the line below the bars is the
        path of the last object
        {paths > 1 && `; up to ${paths} objects ended within 10 ms, and the split is the mean over their paths`}.
      </Text>
    </div>
  );
}

/** One lane for each transport connection, with all that it carried. It shows when connections were idle, and how many were in use together. */
function ConnectionLanes({ rows, scale, films, foot }: ConnectionLanesProps) {
  const carried = [
    ...Map.groupBy(
      rows.filter(({ connection }) => connection !== null),
      ({ connection }) => connection!,
    ),
  ].sort(([one], [other]) => one - other);
  return (
    <TimeTable
      label="Connections"
      region="Connections on the time axis"
      columns={columns}
      visits={[{ scale }]}
      films={films}
      foot={foot}
    >
      {() => (
        <tbody>
          {carried.map(([connection, requests]) => {
            const known = requests.flatMap(({ receivedBytes }) => receivedBytes ?? []);
            const phases = requests.flatMap((request) => request.phases).filter(({ kind }) => kind !== 'blocked');
            return (
              <tr key={connection}>
                <th scope="row">
                  {connection} <span className={classes.host}>{hostOf(requests[0]!.url)}</span>
                </th>
                <td>{requests[0]!.protocol ?? '—'}</td>
                <td className={classes.number}>{formatNumber(requests.length)}</td>
                <td className={classes.number}>
                  {known.length === 0 ? (
                    <AbsentValue reason="The size on the connection is not known." />
                  ) : (
                    formatBytes(known.reduce((sum, bytes) => sum + bytes, 0))
                  )}
                </td>
                <td className={classes.time}>
                  <VisuallyHidden>
                    from {formatMs(Math.min(...phases.map(({ startMs }) => startMs)))} to{' '}
                    {formatMs(Math.max(...phases.map(({ endMs }) => endMs)))}
                  </VisuallyHidden>
                  <TimeLane phases={phases} scale={scale} />
                </td>
              </tr>
            );
          })}
        </tbody>
      )}
    </TimeTable>
  );
}

import { Anchor, Group, SegmentedControl, Text, Tooltip } from '@mantine/core';
import { catalogue, latencyIds } from '#core/metrics/index.ts';
import { latencyOrigins, type LatencyOrigin } from '#core/metrics/latency-origin.ts';
import { useIsOffline } from '../../components/report-place.ts';
import { goToPlace } from '../../components/go-to-place.ts';
import type { View } from './use-view.ts';
import classes from './page-contents.module.css';

export interface PagePart {
  place: string;
  name: string;
}

interface PageContentsProps {
  parts: readonly PagePart[];
  view: View;
  changeView: (change: Partial<View>) => void;
  /** From when the latencies that are shown count; it follows the choice once they are computed. */
  shownFrom: LatencyOrigin;
}

const originNames: Record<LatencyOrigin, string> = {
  'navigation-start': 'navigation start',
  'first-request': 'first request',
};

/** The parts of the Comparison and what governs its numbers; it stays in sight. */
export function PageContents({ parts, view, changeView, shownFrom }: PageContentsProps) {
  const isOffline = useIsOffline();
  return (
    <div className={`${classes.bar} no-print`}>
      <nav aria-label="Parts of the Comparison" className={classes.parts}>
        {parts.map(({ place, name }) => (
          <Anchor
            key={place}
            href={`#${place}`}
            size="sm"
            c="inherit"
            onClick={(event) => {
              event.preventDefault();
              goToPlace(place);
            }}
          >
            {name}
          </Anchor>
        ))}
      </nav>
      <Group gap="xs">
        <Tooltip label="Which latency the Scenarios, the Blocks and the URLs show.">
          <SegmentedControl
            aria-label="Metric"
            size="xs"
            value={view.metric}
            onChange={(metric) => changeView({ metric })}
            data={latencyIds.map((id) => ({ value: id, label: shortenLatency(catalogue[id].label) }))}
            withItemsBorders={false}
          />
        </Tooltip>
        {!isOffline && (
          <Tooltip label="From when all latencies of this page count.">
            <SegmentedControl
              aria-label="Latencies from"
              size="xs"
              value={view.from}
              onChange={(from) => changeView({ from })}
              data={latencyOrigins.map((value) => ({ value, label: `from ${originNames[value]}` }))}
              withItemsBorders={false}
            />
          </Tooltip>
        )}
      </Group>
      <Text size="xs" c="dimmed" aria-live="polite" w="100%" className={classes.state}>
        {!isOffline && view.from !== shownFrom && 'The Controller is computing the report …'}
        {shownFrom === 'first-request' &&
          'Latencies count from the first request, as in the first HTTP-AE papers. They leave out name resolution, connection and TLS.'}
      </Text>
    </div>
  );
}

/** `Total page load latency` is `Total` beside others. */
export function shortenLatency(label: string): string {
  return label.replace(/ (page load )?latency$/, '');
}

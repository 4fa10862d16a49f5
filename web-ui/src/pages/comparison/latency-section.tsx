import { NativeSelect, Text } from '@mantine/core';
import { useEffect, useMemo, useRef } from 'react';
import { nameLatency } from '#core/metrics/latency-origin.ts';
import type { Comparison, MetricComparison } from '#core/comparison/comparison.ts';
import type { ScenarioStyle } from '../../components/scenario-style.ts';
import { Section } from '../../components/section.tsx';
import { Term } from '../../components/term.tsx';
import { goToPlace } from '../../components/go-to-place.ts';
import { openUrlId, UrlDrill } from './url-drill.tsx';
import { gatherRows, hasReductions, sortRows } from './url-rows.ts';
import { UrlTable } from './url-table.tsx';
import type { View } from './use-view.ts';

const allUserAgents = '';

interface LatencySectionProps {
  comparison: Comparison;
  metric: MetricComparison;
  styles: Map<string, ScenarioStyle>;
  view: View;
  changeView: (change: Partial<View>) => void;
}

/** Latency by URL, as a table. */
export function LatencySection({ comparison, metric, styles, view, changeView }: LatencySectionProps) {
  const { confidence } = comparison;
  const { userAgent } = view;
  const rows = useMemo(() => gatherRows(metric, userAgent), [metric, userAgent]);
  const label = nameLatency(metric.metric, comparison.countedFrom);
  const open = rows.find(({ url }) => url === view.openUrl);

  // The details are below the table. The page jumps to them after a click, and not when an address opens them.
  const isAsked = useRef(false);
  useEffect(() => {
    if (isAsked.current) goToPlace(openUrlId);
    isAsked.current = false;
  }, [view.openUrl]);
  const openUrl = (url: string | null) => {
    isAsked.current = url !== null;
    changeView({ openUrl: url });
  };

  return (
    <Section
      id="urls"
      title={`${label} by URL`}
      beside={
        comparison.userAgents.length > 1 && (
          <NativeSelect
            size="xs"
            aria-label="User Agent"
            value={view.userAgent ?? allUserAgents}
            onChange={(event) => changeView({ userAgent: event.currentTarget.value || null })}
            data={[
              { value: allUserAgents, label: 'all User Agents' },
              ...comparison.userAgents.map((name) => ({ value: name, label: name })),
            ]}
          />
        )
      }
    >
      {hasReductions(rows) && (
        <Text size="xs" c="dimmed">
          The line below a mean is the <Term of="reduction">reduction</Term> of this URL vs{' '}
          {comparison.groups ? 'the baseline of the group' : comparison.baseline}, with its interval. n.s.: not
          significant, p corrected over all URLs and Scenarios.
        </Text>
      )}
      <Text size="xs" c="dimmed" className="no-print">
        Select a URL to see its Visits and their distribution.
      </Text>
      <UrlTable
        runId={comparison.runId}
        rows={sortRows(rows, view)}
        scenarios={comparison.scenarios}
        compared={comparison}
        styles={styles}
        view={view}
        changeView={changeView}
        onOpen={openUrl}
        alpha={1 - confidence}
        rule={comparison.failedObjects.rule}
      />
      {open && <UrlDrill row={open} comparison={comparison} metric={metric} styles={styles} userAgent={userAgent} />}
    </Section>
  );
}

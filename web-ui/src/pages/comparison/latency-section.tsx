import { NativeSelect, Text } from '@mantine/core';
import { useMemo } from 'react';
import { nameLatency } from '#core/metrics/latency-origin.ts';
import type { Comparison, MetricComparison } from '#core/comparison/comparison.ts';
import { useIsOffline } from '../../components/report-place.ts';
import type { ScenarioStyle } from '../../components/scenario/scenario-style.ts';
import { Section } from '../../components/section.tsx';
import { formatNumber } from '../../format/format-numbers.ts';
import { UrlLatencies } from './urls/url-latencies.tsx';
import { gatherRows, sortRows } from './urls/url-rows.ts';
import { UserLatencies } from './urls/user-latencies.tsx';
import type { View } from './use-view.ts';

const allUserAgents = '';

interface LatencySectionProps {
  comparison: Comparison;
  metric: MetricComparison;
  styles: Map<string, ScenarioStyle>;
  view: View;
  changeView: (change: Partial<View>) => void;
}

/** Latency by URL, as a table, over all User Agents or of one. */
export function LatencySection({ comparison, metric, styles, view, changeView }: LatencySectionProps) {
  const isOffline = useIsOffline();
  const { userAgents, userCellsLeftOut } = comparison;
  const isIncomplete = isOffline && userCellsLeftOut !== undefined;
  const userAgent = isIncomplete ? null : view.userAgent;
  const rows = useMemo(() => gatherRows(metric, userAgent), [metric, userAgent]);
  const sorted = sortRows(rows, view);
  const shown = { comparison, metric, styles, view: { ...view, userAgent }, changeView };

  return (
    <Section
      id="urls"
      title={`${nameLatency(metric.metric, comparison.countedFrom)} by URL`}
      beside={
        userAgents.length > 1 &&
        !isIncomplete && (
          <NativeSelect
            size="xs"
            aria-label="User Agent"
            value={userAgent ?? allUserAgents}
            onChange={(event) => changeView({ userAgent: event.currentTarget.value || null })}
            data={[
              { value: allUserAgents, label: 'all User Agents' },
              ...userAgents.map((name) => ({ value: name, label: name })),
            ]}
          />
        )
      }
    >
      {isIncomplete && (
        <Text size="xs" c="dimmed">
          This file has no rows of single User Agents: there are {formatNumber(userCellsLeftOut)} of them. The
          Controller and the bundle have them.
        </Text>
      )}
      {userAgent === null || isOffline ? (
        <UrlLatencies {...shown} rows={sorted} open={sorted.find(({ url }) => url === view.openUrl) ?? null} />
      ) : (
        <UserLatencies {...shown} userAgent={userAgent} />
      )}
    </Section>
  );
}

import { Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { Comparison, MetricComparison } from '#core/comparison/comparison.ts';
import { goToPlace } from '../../../components/go-to-place.ts';
import type { ScenarioStyle } from '../../../components/scenario/scenario-style.ts';
import { Term } from '../../../components/terms/term.tsx';
import { openUrlId, UrlDrill } from './url-drill.tsx';
import { hasReductions, type UrlRow } from './url-rows.ts';
import { UrlTable } from './url-table.tsx';
import type { View } from '../use-view.ts';

interface UrlLatenciesProps {
  comparison: Comparison;
  metric: MetricComparison;
  /** In the order of the view. */
  rows: UrlRow[];
  /** That of the view; null when none is, or it is not known. */
  open: UrlRow | null;
  styles: Map<string, ScenarioStyle>;
  view: View;
  changeView: (change: Partial<View>) => void;
}

/** URLs in a table, and the details of the one that is open. */
export function UrlLatencies({ comparison, metric, rows, open, styles, view, changeView }: UrlLatenciesProps) {
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
    <>
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
        rows={rows}
        scenarios={comparison.scenarios}
        compared={comparison}
        absences={comparison.absences.filter((each) => each.metric === metric.metric)}
        styles={styles}
        view={view}
        changeView={changeView}
        onOpen={openUrl}
        alpha={1 - comparison.confidence}
        rule={comparison.failedObjects.rule}
      />
      {open && (
        <UrlDrill row={open} comparison={comparison} metric={metric} styles={styles} userAgent={view.userAgent} />
      )}
    </>
  );
}

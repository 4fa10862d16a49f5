import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { latencyIds, type LatencyId } from '#core/metrics/catalogue.ts';
import type { LatencyOrigin } from '#core/metrics/latency-origin.ts';
import type { Comparison } from '#core/comparison/comparison.ts';
import { fromSearch } from '../../api/from-search.ts';
import { readLatencyOrigin } from './read-latency-origin.ts';
import { readShownFigure, writeShownFigure, type ShownFigure } from './chosen-figure/shown-figure.ts';

/** What of the Comparison is looked at. The address holds it, so that a figure can be linked to. */
export interface View {
  /** From when latencies count. */
  from: LatencyOrigin;
  metric: LatencyId;
  /** Null: pooled over all User Agents. */
  userAgent: string | null;
  figure: ShownFigure;
  /** The Scenario whose means order the table; null for the order of the Evaluation. */
  sortedBy: string | null;
  isDescending: boolean;
  /** The URL whose distribution and Visits are open; null when none is. */
  openUrl: string | null;
  /** The Round whose throughput is open, as `block.scenario`; null when none is. */
  round: { block: number; scenario: string } | null;
}

export function useView(comparison: Comparison): [View, (change: Partial<View>) => void] {
  const [search, setSearch] = useSearchParams();
  const userAgent = search.get('userAgent');
  const figure = useMemo(() => readShownFigure(search), [search]);
  const view: View = {
    from: readLatencyOrigin(search),
    metric: latencyIds.find((id) => id === search.get('metric')) ?? comparison.primaryMetric,
    userAgent: userAgent !== null && comparison.userAgents.includes(userAgent) ? userAgent : null,
    figure,
    sortedBy: search.get('sort'),
    isDescending: search.has('descending'),
    openUrl: search.get('url'),
    round: readRound(search.get('round'), comparison),
  };
  // At once: a change that comes before this one was drawn would undo it.
  const change = (part: Partial<View>) =>
    setSearch(toSearch({ ...view, ...part }), { replace: true, preventScrollReset: true, flushSync: true });
  return [view, change];

  function toSearch(next: View): URLSearchParams {
    const result = new URLSearchParams(fromSearch(next.from));
    if (next.metric !== comparison.primaryMetric) result.set('metric', next.metric);
    if (next.userAgent !== null) result.set('userAgent', next.userAgent);
    writeShownFigure(result, next.figure);
    if (next.sortedBy !== null) result.set('sort', next.sortedBy);
    if (next.isDescending) result.set('descending', '');
    if (next.openUrl !== null) result.set('url', next.openUrl);
    if (next.round !== null) result.set('round', `${next.round.block}.${next.round.scenario}`);
    return result;
  }
}

function readRound(text: string | null, comparison: Comparison): View['round'] {
  const [, block, scenario] = /^(\d{1,6})\.(.*)$/s.exec(text ?? '') ?? [];
  return block !== undefined && scenario !== undefined && comparison.scenarios.includes(scenario)
    ? { block: Number(block), scenario }
    : null;
}

import type { ArrangedTrend, TrendPlace } from '#core/trend/arrange-trend.ts';
import type { TrendRun } from '#core/protocol/api/evaluation-trend.ts';
import { formatCount, formatNumber } from '../../../format/format-numbers.ts';

/** What Runs the trend has, and what to know of them. */
export function describeRuns({ places, waiting, otherMetric }: ArrangedTrend, isCut: boolean): string {
  const others = places.filter(({ hasNewestSettings }) => !hasNewestSettings).length;
  return [
    places.length === 1
      ? `${formatCount(1, 'completed Run')}, with the interval of its Comparison.`
      : `${formatCount(places.length, 'completed Run')}${isCut ? ', the newest' : ''}, each with the interval of its Comparison.`,
    ...(others > 0
      ? [`${formatNumber(others)} had other settings than the newest Run: their marks are hollow.`]
      : places.length === 1
        ? []
        : ['All had the same settings.']),
    ...describeDefinitions(places),
    ...(waiting > 0 ? [`The figures of ${formatCount(waiting, 'Run')} are not computed yet.`] : []),
    ...(otherMetric > 0 ? [`${formatCount(otherMetric, 'Run')} with another primary metric left out.`] : []),
    'Rounds of different Runs are not paired: a change can come from the network, the hosts or the browser.',
  ].join(' ');
}

/** Sentences on the definitions that the Runs follow; none where all follow the same ones. */
export function describeDefinitions(places: readonly TrendPlace[]): string[] {
  const others = places.filter(({ hasNewestDefinitions }) => !hasNewestDefinitions);
  const unknown = places.filter(({ definitions }) => definitions === '').length;
  const versions = [...new Set(others.map(({ definitions }) => definitions))].join(', ');
  return [
    ...(others.length > 0
      ? [
          `${formatNumber(others.length)} followed other metric definitions than the newest Run (version ${versions}): their marks are hollow, and no line joins different definitions.`,
        ]
      : []),
    ...(unknown > 0 ? [`The metric definitions of ${formatCount(unknown, 'Run')} are not known.`] : []),
  ];
}

/** Of the newest Runs whose message failed: the operator does not see this page. */
export function describeWebhookProblems(runs: readonly Pick<TrendRun, 'id' | 'webhookProblem'>[]): string[] {
  return runs
    .filter(({ webhookProblem }) => webhookProblem !== null)
    .slice(-3)
    .map(
      ({ id, webhookProblem }) =>
        `Run ${id} crossed the threshold, and the webhook was not reached: ${webhookProblem}.`,
    );
}

import { Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import type { EvaluationTrend } from '#core/protocol/api/evaluation-trend.ts';
import { trendQuery } from '../../../api/trend-query.ts';
import { ChartFigure } from '../../../components/chart/chart-figure.tsx';
import { NameSwitch } from '../../../components/name-switch.tsx';
import { QueryContent } from '../../../components/query-content.tsx';
import { ScenarioName } from '../../../components/scenario/scenario-name.tsx';
import { styleScenarios } from '../../../components/scenario/scenario-style.ts';
import { formatCount } from '../../../format/format-count.ts';
import { formatNumber } from '../../../format/format-number.ts';
import { arrangeTrend, listAxes, type ArrangedTrend } from './arrange-trend.ts';
import { isHollow, nameAxis, trendFigure, type TrendQuantity } from './trend-figure.ts';
import { TrendTable } from './trend-table.tsx';

const quantities = [
  { name: 'reduction', text: 'Reduction vs baseline' },
  { name: 'mean', text: 'Mean latency' },
] as const;

/** How the figures of an Evaluation changed from Run to Run. */
export function TrendView({ evaluationId }: { evaluationId: string }) {
  const query = useQuery(trendQuery(evaluationId));
  return (
    <QueryContent query={query} what="The trend">
      {(trend) => <TrendContent trend={trend} />}
    </QueryContent>
  );
}

function TrendContent({ trend: { runs, isCut } }: { trend: EvaluationTrend }) {
  const [search, setSearch] = useSearchParams();
  const axes = useMemo(() => listAxes(runs), [runs]);
  const axis = axes.find((each) => each === search.get('by')) ?? 'date';
  const quantity = search.get('of') === 'mean' ? 'mean' : 'reduction';
  const arranged = useMemo(() => arrangeTrend(runs, axis), [runs, axis]);
  const change = (name: 'by' | 'of', value: string) => {
    const next = new URLSearchParams(search);
    next.set(name, value);
    setSearch(next, { replace: true, preventScrollReset: true });
  };
  if (!arranged) {
    return (
      <Text c="dimmed">
        {runs.length === 0
          ? 'No completed Run yet. The trend compares completed Runs of this Evaluation.'
          : 'The figures of the Runs are being computed.'}
      </Text>
    );
  }
  return (
    <Stack gap="md">
      <Group gap="md" className="no-print">
        <NameSwitch
          label="Quantity"
          choices={[...quantities]}
          chosen={quantity}
          onChange={(value) => change('of', value)}
        />
        <NativeSelect
          size="xs"
          aria-label="Runs by"
          value={axis}
          onChange={(event) => change('by', event.currentTarget.value)}
          data={axes.map((each) => ({ value: each, label: `by ${nameAxis(each)}` }))}
        />
      </Group>
      <Text size="sm" c="dimmed">
        {describeRuns(arranged, isCut)}
      </Text>
      <Drawn arranged={arranged} axis={axis} quantity={quantity} />
    </Stack>
  );
}

function Drawn({
  arranged,
  axis,
  quantity,
}: {
  arranged: ArrangedTrend;
  axis: ReturnType<typeof listAxes>[number];
  quantity: TrendQuantity;
}) {
  const navigate = useNavigate();
  const styles = useMemo(() => styleScenarios(arranged.scenarios), [arranged]);
  const figure = useMemo(
    () =>
      trendFigure(arranged, {
        axis,
        quantity,
        styles,
        onOpen: (runId) => void navigate(`/runs/${runId}/comparison`),
      }),
    [arranged, axis, quantity, styles, navigate],
  );
  const shown = arranged.scenarios.filter(({ baseline }) => quantity === 'mean' || !baseline);
  return (
    <>
      <ChartFigure
        figure={figure}
        legend={
          <Group gap="lg">
            {shown.map(({ name, baseline }) => (
              <ScenarioName key={name} name={name} style={styles.get(name)} isBaseline={baseline} />
            ))}
          </Group>
        }
      />
      <TrendTable arranged={arranged} axis={axis} quantity={quantity} scenarios={shown} styles={styles} />
    </>
  );
}

function describeRuns({ places, waiting, otherMetric }: ArrangedTrend, isCut: boolean): string {
  const others = places.filter(isHollow).length;
  return [
    `${formatCount(places.length, 'completed Run')}${isCut ? ', the newest' : ''}, each with its 95 % interval.`,
    ...(others > 0
      ? [`${formatNumber(others)} had other settings than the newest Run: their marks are hollow.`]
      : ['All had the same settings.']),
    ...(waiting > 0 ? [`The figures of ${formatCount(waiting, 'Run')} are not computed yet.`] : []),
    ...(otherMetric > 0 ? [`${formatCount(otherMetric, 'Run')} with another main metric left out.`] : []),
    'Rounds of different Runs are not paired: a change can come from the network, the hosts or the browser.',
  ].join(' ');
}

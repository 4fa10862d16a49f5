import { Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery, queryOptions } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { type EvaluationDocument, expandDocument } from '#core/evaluation/evaluation-document.ts';
import { markTraits } from '#core/evaluation/scenarios/scenario-trait.ts';
import { type EvaluationTrend, EvaluationTrendSchema } from '#core/protocol/api/evaluation-trend.ts';
import { ChartFigure } from '../../../components/chart/chart-figure.tsx';
import { NameSwitch } from '../../../components/name-switch.tsx';
import { QueryContent } from '../../../components/query-content.tsx';
import { ScenarioName } from '../../../components/scenario/scenario-name.tsx';
import { styleScenarios } from '../../../components/scenario/scenario-style.ts';
import { arrangeTrend, listAxes, type ArrangedTrend, type TrendAxis } from '#core/trend/arrange-trend.ts';
import {
  findTrendChanges,
  describeTrendChanges,
  type TrendChange,
  type TrendChanges,
} from '#core/trend/find-trend-changes.ts';
import { describeThreshold } from '#core/trend/judge-threshold.ts';
import { describeRuns, describeWebhookProblems } from './describe-trend.ts';
import { nameAxis, trendFigure, type TrendQuantity } from './trend-figure.ts';
import { TrendTable } from './trend-table.tsx';
import { json, request } from '../../../api/request.ts';
import { formatPercent } from '../../../format/format-ratios.ts';
import { ValuesInText } from '../../../components/values-in-text.tsx';

const waitingPollMs = 3000;

/** The completed Runs of an Evaluation with their figures. It is asked for again while those of some are being computed. */
const trendQuery = (evaluationId: string) =>
  queryOptions({
    queryKey: ['evaluations', evaluationId, 'trend'],
    queryFn: ({ signal }) =>
      request({
        path: `/api/evaluations/${encodeURIComponent(evaluationId)}/trend`,
        answer: json(EvaluationTrendSchema),
        signal,
      }),
    refetchInterval: ({ state }) => (state.data?.runs.some(({ trend }) => trend === null) ? waitingPollMs : false),
  });

const noChanges: readonly TrendChange[] = [];

const quantities = [
  { name: 'reduction', text: 'Reduction vs baseline' },
  { name: 'mean', text: 'Mean latency' },
] as const;

/** How the figures of an Evaluation changed from Run to Run. */
export function TrendView({ evaluationId, document }: { evaluationId: string; document: EvaluationDocument }) {
  const query = useQuery(trendQuery(evaluationId));
  return (
    <QueryContent query={query} what="The trend">
      {(trend) => <TrendContent trend={trend} document={document} />}
    </QueryContent>
  );
}

interface TrendContentProps {
  trend: EvaluationTrend;
  document: EvaluationDocument;
}

function TrendContent({ trend: { runs, isCut, threshold }, document }: TrendContentProps) {
  const [search, setSearch] = useSearchParams();
  const axes = useMemo(() => listAxes(runs), [runs]);
  const axis = axes.find((each) => each === search.get('by')) ?? 'date';
  const quantity = search.get('of') === 'mean' ? 'mean' : 'reduction';
  const arranged = useMemo(() => arrangeTrend(runs, axis), [runs, axis]);
  // They are by date, however the Runs are placed.
  const found = useMemo((): TrendChanges => {
    const byDate = arrangeTrend(runs, 'date');
    return byDate ? findTrendChanges(byDate) : { kind: 'no-scenario' };
  }, [runs]);
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
      <Changes
        sentences={[
          ...describeTrendChanges(found),
          ...describeThreshold(arranged, threshold),
          ...describeWebhookProblems(runs),
        ]}
      />
      <Drawn
        arranged={arranged}
        document={document}
        changes={found.kind === 'sought' ? found.changes : noChanges}
        threshold={threshold}
        axis={axis}
        quantity={quantity}
      />
    </Stack>
  );
}

/** Whether and where the reduction changed, and how it is to the threshold. */
function Changes({ sentences }: { sentences: readonly string[] }) {
  if (sentences.length === 0) return null;
  return (
    <Stack gap={4} role="group" aria-label="Changes">
      {sentences.map((sentence) => (
        <Text key={sentence} size="sm" maw={900}>
          <ValuesInText text={sentence} />
        </Text>
      ))}
    </Stack>
  );
}

interface DrawnProps {
  document: EvaluationDocument;
  arranged: ArrangedTrend;
  changes: readonly TrendChange[];
  /** Null: none. */
  threshold: number | null;
  axis: TrendAxis;
  quantity: TrendQuantity;
}

function Drawn({ arranged, document, changes, threshold, axis, quantity }: DrawnProps) {
  const navigate = useNavigate();
  const styles = useMemo(() => {
    const marked = new Map(markTraits(expandDocument(document).scenarios).map((each) => [each.name, each]));
    // Older Runs may have others.
    return styleScenarios(arranged.scenarios.map((each) => ({ ...marked.get(each.name), ...each })));
  }, [arranged, document]);
  const figure = useMemo(
    () =>
      trendFigure(arranged, {
        axis,
        quantity,
        styles,
        changes,
        threshold,
        onOpen: (runId) => void navigate(`/runs/${runId}/comparison`),
      }),
    [arranged, changes, threshold, axis, quantity, styles, navigate],
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
      {quantity === 'reduction' && <Legend hasChanges={axis === 'date' && changes.length > 0} threshold={threshold} />}
      <TrendTable arranged={arranged} axis={axis} quantity={quantity} scenarios={shown} styles={styles} />
    </>
  );
}

/** What of the figure is no Scenario. */
function Legend({ hasChanges, threshold }: { hasChanges: boolean; threshold: number | null }) {
  const lines = [
    hasChanges && 'Dashed: the level before and after a change. The bar on the step is the interval of its place.',
    threshold !== null && `Dotted: the threshold, ${formatPercent(threshold)}.`,
  ].filter((line) => line !== false);
  return lines.length > 0 ? (
    <Text size="xs" c="dimmed">
      {lines.join(' ')}
    </Text>
  ) : null;
}

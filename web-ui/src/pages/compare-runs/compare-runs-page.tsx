import {
  Alert,
  MultiSelect,
  Skeleton,
  Anchor,
  Group,
  NativeSelect,
  Table,
  SegmentedControl,
  Text,
} from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useSearchParams, Link } from 'react-router';
import { comparisonQuery, runsQuery } from '../../api/queries.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { useMemo } from 'react';
import { catalogue, latencyIds, type LatencyId } from '#core/metrics/index.ts';
import { compareUnpaired } from '#core/statistics/compare-unpaired.ts';
import { decimalsOfMs } from '../../format/format-times.ts';
import { shortenLatency } from '../comparison/page-contents.tsx';
import { ReductionsByRun } from './reductions-by-run.tsx';
import { isBaseline } from '#core/comparison/compared-group.ts';
import type { Comparison } from '#core/comparison/comparison.ts';
import { AbsentValue } from '../../components/absent-value.tsx';
import { ChartFigure } from '../../components/chart/chart-figure.tsx';
import { Defined } from '../../components/terms/term.tsx';
import { EstimateValue } from '../../components/reduction/estimate-value.tsx';
import { ScenarioName } from '../../components/scenario/scenario-name.tsx';
import { styleScenarios } from '../../components/scenario/scenario-style.ts';
import { Section } from '../../components/section.tsx';
import { describeLess, formatNumber } from '../../format/format-numbers.ts';
import { formatP } from '../../format/format-ratios.ts';
import { type Arm, findDifferences, listArms } from '#core/comparison/arms.ts';
import { armsFigure } from './arms-figure.ts';

const mostRuns = 8;

/** Compares Scenarios of several Runs. The address holds the Runs. */
export function CompareRunsPage() {
  const [search, setSearch] = useSearchParams();
  const chosen = (search.get('runs') ?? '')
    .split(',')
    .filter((id) => /^[1-9]\d{0,17}$/.test(id))
    .slice(0, mostRuns);
  const runs = useQuery(runsQuery).data ?? [];
  const comparisons = useQueries({
    queries: chosen.map((id) => comparisonQuery(id)),
    combine: (results) => ({
      isPending: results.some((result) => result.isPending),
      found: results.flatMap((result) => result.data ?? []),
      errors: results.flatMap((result) => result.error ?? []),
    }),
  });
  const choose = (ids: string[]) => {
    const next = new URLSearchParams(search);
    next.set('runs', ids.join(','));
    setSearch(next, { replace: true, preventScrollReset: true });
  };
  const listed = runs
    .filter(({ roundsCompleted }) => roundsCompleted > 0)
    .map(({ id, evaluationName }) => ({ value: id, label: `${id}: ${evaluationName}` }));
  const unlisted = chosen
    .filter((id) => !listed.some(({ value }) => value === id))
    .map((id) => ({ value: id, label: `Run ${id}` }));

  return (
    <>
      <PageHeader
        title="Runs side by side"
        parent={{ to: '/runs', label: 'Runs' }}
        description="Scenarios of several Runs, of one Evaluation or of different ones."
      />
      <MultiSelect
        className="no-print"
        label="Runs"
        placeholder="Add a Run"
        searchable
        maxValues={mostRuns}
        data={[...listed, ...unlisted]}
        value={chosen}
        onChange={choose}
      />
      <Alert color="yellow" title="Not paired">
        Rounds of different Runs are not paired. Every difference here includes all changes between the Runs, such as
        network, hosts and browser. No interval accounts for them. To compare Scenarios, put them into one Evaluation.
      </Alert>
      {comparisons.errors.map((error, index) => (
        <ProblemAlert key={index} title="A Run cannot be shown" error={error} />
      ))}
      {comparisons.isPending && chosen.length > 0 && <Skeleton height={300} />}
      {comparisons.found.length > 0 && <RunsSideBySide comparisons={comparisons.found} />}
    </>
  );
}

/** Each Scenario of each Run beside a reference, which the reader chooses. */
function RunsSideBySide({ comparisons }: { comparisons: Comparison[] }) {
  const [search, setSearch] = useSearchParams();
  const first = comparisons[0]!;
  const metric = latencyIds.find((id) => id === search.get('metric')) ?? first.primaryMetric;
  const arms = useMemo(() => listArms(comparisons, metric), [comparisons, metric]);
  const styles = useMemo(() => {
    const all = comparisons.flatMap(({ conditions }) => conditions);
    const byName = new Map(all.toReversed().map((each) => [each.scenario, each]));
    return styleScenarios(
      [...new Set(all.map(({ scenario }) => scenario))].map((name) => {
        const { group, trait } = byName.get(name)!;
        return { name, baseline: isBaseline(first, name), group, trait };
      }),
    );
  }, [comparisons, first]);
  const figure = useMemo(
    () => armsFigure(arms, { styles, metricLabel: catalogue[metric].label }),
    [arms, styles, metric],
  );
  const reference =
    arms.find(({ key }) => key === search.get('reference')) ??
    arms.find(({ scenario }) => scenario === first.baseline) ??
    arms[0];
  const change = (name: string, value: string) => {
    const next = new URLSearchParams(search);
    next.set(name, value);
    setSearch(next, { replace: true, preventScrollReset: true });
  };
  const differences = findDifferences(comparisons);

  return (
    <>
      {differences.length > 0 && (
        <Alert color="red" title="The Runs measured different things">
          {differences.join(' ')}
        </Alert>
      )}
      <MetricSwitch metric={metric} primaryMetric={first.primaryMetric} onChange={(id) => change('metric', id)} />
      <ReductionsByRun arms={arms} styles={styles} metric={metric} />
      <Section
        title={catalogue[metric].label}
        beside={
          <Group gap="xs" className="no-print">
            <NativeSelect
              size="xs"
              aria-label="Reference"
              value={reference?.key ?? ''}
              onChange={(event) => change('reference', event.currentTarget.value)}
              data={arms.map(({ key, runId, scenario }) => ({ value: key, label: `vs Run ${runId}: ${scenario}` }))}
            />
          </Group>
        }
      >
        <ChartFigure figure={figure} />
        <Table.ScrollContainer minWidth={1140}>
          <Table aria-label="Scenarios of the Runs">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Run</Table.Th>
                <Table.Th>Scenario</Table.Th>
                <Table.Th className="numeric">Rounds</Table.Th>
                <Table.Th className="numeric">Mean</Table.Th>
                <Table.Th className="numeric">
                  <Defined definition="Mean of this Scenario minus the mean of the reference, with Welch’s 95 % interval for independent samples.">
                    Difference
                  </Defined>
                </Table.Th>
                <Table.Th className="numeric">
                  <Defined definition="Of Welch’s test, two-sided, which the interval is of: below 0.05 just where the interval is on one side of 0. Exploratory: not corrected for the number of comparisons.">
                    p
                  </Defined>
                </Table.Th>
                <Table.Th className="numeric">
                  <Defined definition="Mann–Whitney test, two-sided: whether Rounds of one tend to take longer than those of the other. It asks something else than the interval, and the two may disagree.">
                    Mann–Whitney p
                  </Defined>
                </Table.Th>
                <Table.Th className="numeric">
                  <Defined definition="P(a Round of this Scenario takes longer than one of the reference) − P(it takes less): from −1 to 1.">
                    Cliff’s δ
                  </Defined>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {arms.map((arm) => (
                <Table.Tr key={arm.key}>
                  <Table.Td>
                    <Anchor component={Link} to={`/runs/${arm.runId}/comparison`} inherit underline="always">
                      {arm.runId}
                    </Anchor>{' '}
                    {arm.evaluationName}
                  </Table.Td>
                  <Table.Th scope="row">
                    <ScenarioName name={arm.scenario} style={styles.get(arm.scenario)} />
                  </Table.Th>
                  <Table.Td className="numeric">{formatNumber(arm.values.length)}</Table.Td>
                  <Table.Td className="numeric">
                    <EstimateValue estimate={arm.estimate} absence="No page has a value." />
                  </Table.Td>
                  <Against arm={arm} reference={reference} />
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </Section>
    </>
  );
}

/** `409 ms less (303 to 520 ms)`. */
function formatLess(difference: { value: number; low: number; high: number }): string {
  const format = (size: number) => formatNumber(size, decimalsOfMs(difference.value));
  const { shown, range } = describeLess(difference, format, '\u00A0ms');
  return `${shown} (${range})`;
}

function Against({ arm, reference }: { arm: Arm; reference: Arm | undefined }) {
  const compared = reference && arm.key !== reference.key ? compareUnpaired(arm.values, reference.values, 0.95) : null;
  if (!compared) {
    const reason =
      arm.key === reference?.key ? 'This is the reference.' : 'This Scenario or the reference has no value.';
    return [0, 1, 2, 3].map((column) => (
      <Table.Td key={column} className="numeric">
        <AbsentValue reason={reason} />
      </Table.Td>
    ));
  }
  const { difference, mannWhitneyP, cliffsDelta } = compared;
  return (
    <>
      <Table.Td className="numeric">
        {difference ? formatLess(difference) : <AbsentValue reason="An interval needs two Rounds of each Scenario." />}
      </Table.Td>
      <Table.Td className="numeric">
        {difference ? formatP(difference.p) : <AbsentValue reason="An interval needs two Rounds of each Scenario." />}
      </Table.Td>
      <Table.Td className="numeric">{formatP(mannWhitneyP)}</Table.Td>
      <Table.Td className="numeric">{formatNumber(cliffsDelta, 2)}</Table.Td>
    </>
  );
}

interface MetricSwitchProps {
  metric: LatencyId;
  primaryMetric: LatencyId;
  onChange: (metric: LatencyId) => void;
}

/** Which of the three latencies is shown, with its definition. */
function MetricSwitch({ metric, primaryMetric, onChange }: MetricSwitchProps) {
  return (
    <Group gap="md" align="center">
      <SegmentedControl
        aria-label="Metric"
        value={metric}
        onChange={onChange}
        data={latencyIds.map((id) => ({ value: id, label: shortenLatency(catalogue[id].label) }))}
        withItemsBorders={false}
      />
      <Text size="sm" c="dimmed" maw={560}>
        {catalogue[metric].definition}
        {metric === primaryMetric && ' This is the primary metric.'}
      </Text>
    </Group>
  );
}

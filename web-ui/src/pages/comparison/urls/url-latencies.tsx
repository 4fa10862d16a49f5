import { Text, Alert, Group, SimpleGrid, Stack, Title, Anchor, Table } from '@mantine/core';
import { useEffect, useRef, useMemo } from 'react';
import type { Comparison, MetricComparison, Cell } from '#core/comparison/comparison.ts';
import { goToPlace } from '../../../components/go-to-place.ts';
import type { ScenarioStyle } from '../../../components/scenario/scenario-style.ts';
import { Term } from '../../../components/terms/term.tsx';
import { formatNumber } from '../../../format/format-numbers.ts';
import { hasReductions, type UrlRow } from './url-rows.ts';
import { UrlTable } from './url-table.tsx';
import type { View } from '../use-view.ts';
import { nameLatency } from '#core/metrics/latency-origin.ts';
import { absenceReasons } from '#core/comparison/latencies/statistic.ts';
import { useIsAlone } from '../../../components/report-place.ts';
import { ChartFigure } from '../../../components/chart/chart-figure.tsx';
import { MeasuredUrl } from '../../../components/measured-url.tsx';
import { ScenarioLegend } from '../../../components/scenario/scenario-legend.tsx';
import { boxFigure, ecdfFigure } from '../figures/url-figures.ts';
import { VisitList } from './visit-list.tsx';
import { Link } from 'react-router';
import { baselineOf } from '#core/comparison/compared-group.ts';
import { medianPairAddress } from '../../../api/pair-search.ts';
import { ScenarioName } from '../../../components/scenario/scenario-name.tsx';
import { AbsentValue } from '../../../components/absent-value.tsx';
import { EstimateValue } from '../../../components/reduction/estimate-value.tsx';
import { GroupBodies } from '../../../components/group-bodies.tsx';
import { formatP } from '../../../format/format-ratios.ts';
import { explainAbsence, explainNoReduction } from '../scenarios/explain-absence.ts';
import { ReductionValue } from '../scenarios/reduction-value.tsx';

/** Of its heading. */
const openUrlId = 'open-url';

interface UrlDrillProps {
  row: UrlRow;
  comparison: Comparison;
  metric: MetricComparison;
  styles: Map<string, ScenarioStyle>;
  userAgent: string | null;
}

interface DistributionsProps {
  cells: Cell[];
  scenarios: string[];
  compared: Pick<Comparison, 'baseline' | 'groups'>;
  url: string;
  metricLabel: string;
  styles: Map<string, ScenarioStyle>;
}

interface PairLinksProps {
  row: UrlRow;
  comparison: Comparison;
  metric: MetricComparison;
  styles: Map<string, ScenarioStyle>;
  userAgent: string | null;
}

interface UrlReductionsProps {
  row: UrlRow;
  comparison: Pick<Comparison, 'scenarios' | 'baseline' | 'groups' | 'confidence' | 'absences'>;
  metric: MetricComparison;
  styles: Map<string, ScenarioStyle>;
}

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
      <Text size="xs" c="dimmed">
        Select a URL to see its Visits and their distribution.{' '}
        {hasReductions(rows) && (
          <>
            Above a mean is the <Term of="reduction">reduction</Term> of this URL vs{' '}
            {comparison.groups ? 'the baseline of the group' : comparison.baseline}, with its interval. n.s.: not
            significant, p corrected over all URLs and Scenarios.
          </>
        )}
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

/** One URL: how its Visits are distributed in each Scenario, and the Visits themselves. */
function UrlDrill({ row, comparison, metric, styles, userAgent }: UrlDrillProps) {
  const { runId, scenarios } = comparison;
  const isAlone = useIsAlone();
  const cells = useMemo(() => scenarios.flatMap((name) => row.cells.get(name) ?? []), [scenarios, row]);
  return (
    <Stack gap="sm">
      <Title order={3} id={openUrlId} style={{ overflowWrap: 'anywhere' }}>
        <MeasuredUrl url={row.url} label={row.label} /> {userAgent !== null && `by ${userAgent}`}
      </Title>
      {!isAlone && (
        <PairLinks row={row} comparison={comparison} metric={metric} styles={styles} userAgent={userAgent} />
      )}
      {hasReductions([row]) && <UrlReductions row={row} comparison={comparison} metric={metric} styles={styles} />}
      <Distributions
        cells={cells}
        scenarios={scenarios}
        compared={comparison}
        url={row.label}
        metricLabel={nameLatency(metric.metric, comparison.countedFrom)}
        styles={styles}
      />
      {!isAlone && (
        <VisitList
          key={`${row.url} ${userAgent ?? ''}`}
          runId={runId}
          url={row.url}
          userAgent={userAgent}
          scenarios={scenarios}
          metric={metric.metric}
          from={comparison.countedFrom ?? 'navigation-start'}
        />
      )}
    </Stack>
  );
}

function Distributions({ cells, scenarios, compared, url, metricLabel, styles }: DistributionsProps) {
  const figures = useMemo(
    () => ({
      box: boxFigure(cells, { url, metricLabel, styles }),
      ecdf: ecdfFigure(cells, { url, metricLabel, styles }),
    }),
    [cells, url, metricLabel, styles],
  );
  const missing = cells.flatMap(({ distribution }) =>
    distribution?.ecdf.kind === 'absent' ? [distribution.ecdf.reason] : [],
  );
  if (cells.every(({ distribution }) => distribution?.ecdf.kind !== 'measured')) {
    return <Alert>No distribution. {absenceReasons[missing[0] ?? 'no-values']}</Alert>;
  }
  return (
    <>
      <Group>
        <ScenarioLegend names={scenarios} styles={styles} compared={compared} />
      </Group>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
        <ChartFigure figure={figures.box} heightPx={280} />
        <ChartFigure figure={figures.ecdf} heightPx={280} />
      </SimpleGrid>
    </>
  );
}

/** The way to the median Visits of a page under its baseline and under each other Scenario, side by side. */
function PairLinks({ row, comparison, metric, styles, userAgent }: PairLinksProps) {
  const { runId, scenarios } = comparison;
  const isMeasured = (scenario: string) => Boolean(row.cells.get(scenario)?.estimate);
  const others = scenarios.filter((scenario) => {
    const baseline = baselineOf(comparison, scenario);
    return scenario !== baseline && isMeasured(scenario) && isMeasured(baseline);
  });
  if (others.length === 0) return null;
  return (
    <Group gap="md" className="no-print">
      <Text size="sm">Median Visits side by side with the baseline:</Text>
      {others.map((second) => {
        const first = baselineOf(comparison, second);
        return (
          <Anchor
            key={second}
            component={Link}
            to={medianPairAddress({ runId, url: row.url, first, second, userAgent, metric: metric.metric })}
            size="sm"
            aria-label={`Median Visits of ${first} and ${second} side by side`}
          >
            <ScenarioName name={second} style={styles.get(second)} />
          </Anchor>
        );
      })}
    </Group>
  );
}

/** One URL in each Scenario against the baseline, with what the table of all URLs has no room for. */
function UrlReductions({ row, comparison, metric, styles }: UrlReductionsProps) {
  const { scenarios, groups, confidence } = comparison;
  const cells = [...row.cells.values()];
  const absences = comparison.absences.filter((each) => each.metric === metric.metric);
  const verdicts = new Map(metric.scenarios.map((each) => [each.scenario, each.contrast?.verdict]));
  return (
    <Table.ScrollContainer minWidth={640}>
      <Table w="auto" aria-label="The URL by Scenario">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>
              <Term of="scenario">Scenario</Term>
            </Table.Th>
            <Table.Th className="numeric">
              <Term of="mean">Mean</Term>
            </Table.Th>
            <Table.Th className="numeric">
              <Term of="reduction">Reduction vs baseline</Term>
            </Table.Th>
            <Table.Th className="numeric">
              <Term of="block">Blocks</Term>
            </Table.Th>
            <Table.Th className="numeric">
              <Term of="correctedP">p, corrected</Term>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <GroupBodies groups={groups} items={scenarios} scenarioOf={(scenario) => scenario} columns={5}>
          {(scenario) => {
            const baseline = baselineOf(comparison, scenario);
            const { estimate = null, reduction = null } = row.cells.get(scenario) ?? {};
            const absence =
              scenario === baseline
                ? 'The others are compared with the baseline.'
                : (explainNoReduction(cells, { scenario, baseline, absences, verdict: verdicts.get(scenario) }) ?? '');
            return (
              <Table.Tr key={scenario}>
                <Table.Th scope="row">
                  <ScenarioName name={scenario} style={styles.get(scenario)} isBaseline={scenario === baseline} />
                </Table.Th>
                <Table.Td className="numeric">
                  <EstimateValue
                    estimate={estimate}
                    absence={explainAbsence(row.cells.get(scenario) ?? null, {
                      absences: absences.filter((each) => each.scenario === scenario),
                    })}
                  />
                </Table.Td>
                <Table.Td className="numeric">
                  {reduction ? (
                    <ReductionValue reduction={reduction} confidence={confidence} />
                  ) : (
                    <AbsentValue reason={absence} />
                  )}
                </Table.Td>
                <Table.Td className="numeric">{reduction && formatNumber(reduction.blocks)}</Table.Td>
                <Table.Td className="numeric">{reduction && <CorrectedP p={reduction.adjustedP} />}</Table.Td>
              </Table.Tr>
            );
          }}
        </GroupBodies>
      </Table>
    </Table.ScrollContainer>
  );
}

function CorrectedP({ p }: { p: number | null }) {
  if (p === null) return <AbsentValue reason="One Block gives no p." />;
  return formatP(p);
}

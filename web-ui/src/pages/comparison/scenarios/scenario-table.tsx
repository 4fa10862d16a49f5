import { Table, Text, Tooltip, VisuallyHidden } from '@mantine/core';
import { baselineOf } from '#core/comparison/compared-group.ts';
import type { Comparison, MetricComparison, ScenarioComparison, Cell } from '#core/comparison/comparison.ts';
import { flags } from '#core/comparison/latencies/flag.ts';
import { failedObjectsRules, type FailedObjectsRule } from '#core/evaluation/pages/page-load.ts';
import { catalogue } from '#core/metrics/index.ts';
import { AbsentValue } from '../../../components/absent-value.tsx';
import { EstimateValue } from '../../../components/reduction/estimate-value.tsx';
import { Folded } from '../../../components/folded.tsx';
import { GroupBodies } from '../../../components/group-bodies.tsx';
import { reductionExtent } from '../../../components/reduction/reduction-extent.ts';
import { ReductionPlot } from '../../../components/reduction/reduction-plot.tsx';
import { ScenarioName } from '../../../components/scenario/scenario-name.tsx';
import type { ScenarioStyle } from '../../../components/scenario/scenario-style.ts';
import { Term, Defined } from '../../../components/terms/term.tsx';
import { VisitsLink } from '../../../components/run/visits-link.tsx';
import { formatConfidence } from '../../../format/format-ratios.ts';
import { describeLess, formatCount, formatNumber } from '../../../format/format-numbers.ts';
import { decimalsOfMs } from '../../../format/format-times.ts';
import { explainAbsence, explainNoReduction } from './explain-absence.ts';
import { ReductionValue } from './reduction-value.tsx';
import classes from './reduction-value.module.css';
import type { Contrast } from '#core/comparison/latencies/contrast.ts';
import type { ScenarioFailedObjects } from '#core/comparison/failed-objects/failed-objects.ts';
import type { VisitStatus } from '#core/protocol/api/listed-visit.ts';

interface ScenarioTableProps {
  comparison: Comparison;
  metric: MetricComparison;
  styles: Map<string, ScenarioStyle>;
}

/** Each Scenario in one row: its mean, and how much less than the baseline it is. */
export function ScenarioTable({ comparison, metric, styles }: ScenarioTableProps) {
  const { runId, confidence, groups, failedObjects, absences: all } = comparison;
  const absences = all.filter((each) => each.metric === metric.metric);
  const absencesOf = (name: string) => absences.filter(({ scenario }) => scenario === name);
  const extent = reductionExtent(metric.scenarios);
  const isComparison = metric.scenarios.length > 1;
  return (
    <>
      <Table.ScrollContainer minWidth={isComparison ? 880 : 580}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>
                <Term of="scenario">Scenario</Term>
              </Table.Th>
              <Table.Th className="numeric">
                <Term of="mean">Mean</Term> <Term of="interval">± {formatConfidence(confidence)}</Term>
              </Table.Th>
              {isComparison && (
                <>
                  <Table.Th className="numeric">
                    <Term of="reduction">Reduction</Term> and <Term of="meanDifference">difference</Term> vs baseline
                  </Table.Th>
                  <Table.Th w={220}>
                    <VisuallyHidden>Reduction plot</VisuallyHidden>
                  </Table.Th>
                </>
              )}
              <Table.Th className="numeric">
                <Term of="visit">Visits</Term>
              </Table.Th>
              <Table.Th className="numeric">
                <Term of="failedVisit">Failed</Term>
              </Table.Th>
              <Table.Th className="numeric">
                <Term of="failedObjects">Failed objects</Term>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <GroupBodies
            groups={groups}
            items={metric.scenarios}
            scenarioOf={({ scenario }) => scenario}
            columns={isComparison ? 7 : 5}
          >
            {(scenario) => (
              <Table.Tr key={scenario.scenario}>
                <Table.Th scope="row">
                  <ScenarioName
                    name={scenario.scenario}
                    style={styles.get(scenario.scenario)}
                    isBaseline={scenario.isBaseline}
                  />
                  <Flags scenario={scenario} />
                </Table.Th>
                <Table.Td className="numeric">
                  <EstimateValue
                    estimate={scenario.estimate}
                    absence={explainAbsence(scenario, { absences: absencesOf(scenario.scenario) })}
                  />
                  <MissingUrls metric={metric} scenario={scenario.scenario} />
                </Table.Td>
                {isComparison && (
                  <>
                    <Table.Td className="numeric">
                      <Reduction
                        scenario={scenario}
                        confidence={confidence}
                        absence={explainNoReduction(metric.scenarios, {
                          scenario: scenario.scenario,
                          baseline: baselineOf(comparison, scenario.scenario),
                          absences,
                          verdict: scenario.contrast?.verdict,
                        })}
                      />
                    </Table.Td>
                    <Table.Td>
                      <ReductionPlot
                        reduction={scenario.reduction}
                        isBaseline={scenario.isBaseline}
                        colour={styles.get(scenario.scenario)?.colour}
                        extent={extent}
                      />
                    </Table.Td>
                  </>
                )}
                <Table.Td className="numeric">
                  <VisitsLink
                    filter={{ runId, scenario: scenario.scenario }}
                    label={`${formatCount(scenario.visits, 'Visit')} under ${scenario.scenario}`}
                  >
                    {formatNumber(scenario.visits)}
                  </VisitsLink>
                </Table.Td>
                <Table.Td className="numeric">
                  {scenario.failedVisits === 0 ? (
                    formatNumber(0)
                  ) : (
                    <Text span inherit c="var(--mantine-color-error)">
                      <VisitsLink
                        filter={{
                          runId,
                          scenario: scenario.scenario,
                          status: failedStatus(scenario, failedObjects.rule),
                        }}
                        label={`${formatCount(scenario.failedVisits, 'failed Visit')} under ${scenario.scenario}`}
                      >
                        {formatNumber(scenario.failedVisits)}
                      </VisitsLink>
                    </Text>
                  )}
                </Table.Td>
                <Table.Td className="numeric">
                  <FailedObjectsValue
                    runId={runId}
                    counts={failedObjects.scenarios.find((each) => each.scenario === scenario.scenario)}
                    rule={failedObjects.rule}
                  />
                </Table.Td>
              </Table.Tr>
            )}
          </GroupBodies>
        </Table>
      </Table.ScrollContainer>
      {isComparison && (
        <Folded summary="What these numbers are">
          <Text size="xs" c="dimmed">
            {catalogue[metric.metric].definition} The means and their difference in ms are arithmetic, over URLs, User
            Agents and Rounds. The reduction compares geometric means Block by Block: a fast page counts as much as a
            slow one. Below it is the reduction of the arithmetic means, which papers usually print.
          </Text>
        </Folded>
      )}
    </>
  );
}

function MissingUrls({ metric, scenario }: { metric: MetricComparison; scenario: string }) {
  const { missing, all } = countMissingUrls(metric, scenario);
  if (missing === 0) return null;
  return (
    <Tooltip label="The means cover only pages with a value in every Scenario. The reduction covers the pages with a value in both Scenarios.">
      <Text size="xs" c="var(--mantine-color-error)" tabIndex={0}>
        no value for {missing} of {formatCount(all, 'URL')}
      </Text>
    </Tooltip>
  );
}

function Reduction({
  scenario,
  confidence,
  absence,
}: {
  scenario: ScenarioComparison;
  confidence: number;
  absence: string | null;
}) {
  const { reduction, meanReduction, contrast } = scenario;
  if (reduction) {
    return (
      <>
        <ReductionValue reduction={reduction} confidence={confidence} />
        {meanReduction && (
          <div className={classes.means}>
            <Term of="meanReduction">means</Term> <ReductionValue reduction={meanReduction} confidence={confidence} />
          </div>
        )}
        {contrast && <MeanDifference contrast={contrast} />}
      </>
    );
  }
  return <AbsentValue reason={scenario.isBaseline ? 'The others are compared with the baseline.' : (absence ?? '')} />;
}

/** The reasons to doubt the interval. */
function Flags({ scenario: { distribution, contrast } }: { scenario: ScenarioComparison }) {
  const raised = [...new Set([...(distribution?.flags ?? []), ...(contrast?.flags ?? [])])];
  if (raised.length === 0) return null;
  return (
    <Text size="xs" fw={400} c="dimmed">
      {raised.map((flag, index) => (
        <span key={flag}>
          {index > 0 && ', '}
          <Defined definition={flags[flag].explanation}>{flags[flag].label}</Defined>
        </span>
      ))}
    </Text>
  );
}

/** URLs for which a Scenario has no value of the metric from any User Agent; the means of all Scenarios leave them out. */
export function countMissingUrls(metric: MetricComparison, scenario: string): { missing: number; all: number } {
  const pooled = metric.cells.filter((cell) => cell.userAgent === null);
  const all = new Set(pooled.map((cell) => cell.url));
  const measured = pooled.filter((cell) => cell.scenario === scenario && cell.estimate !== null);
  return { missing: all.size - measured.length, all: all.size };
}

/** A reduction in ms, in the columns of the `ReductionValue` above it: `412 ms less  303 to 520`. */
function MeanDifference({ contrast }: { contrast: Contrast }) {
  const { meanDifference } = contrast;
  if (meanDifference.kind === 'absent') return null;
  const { value, low, high } = meanDifference;
  const { shown, range } = describeLess(
    { value, low, high },
    (ms) => formatNumber(ms, decimalsOfMs(value)),
    '\u00A0ms',
  );
  return (
    <div className={classes.difference}>
      {shown} <span className={classes.interval}>{range}</span>
    </div>
  );
}

/** How many objects failed under a Scenario, and below that how many of them other Visits of their page received. */
function FailedObjectsValue({
  runId,
  counts,
  rule,
}: {
  runId: string;
  counts: ScenarioFailedObjects | undefined;
  rule: FailedObjectsRule;
}) {
  if (!counts || counts.visits === 0) return <AbsentValue reason="No Visit has a known number of failed objects." />;
  const { failedObjects, lostObjects, lossyVisits, visits, unknownVisits } = counts;
  return (
    <>
      {failedObjects === 0 ? (
        formatNumber(0)
      ) : (
        <VisitsLink
          filter={{ runId, scenario: counts.scenario, status: 'failed-objects' }}
          label={`${formatCount(failedObjects, 'failed object')} under ${counts.scenario}`}
        >
          {formatNumber(failedObjects)}
        </VisitsLink>
      )}
      {lossyVisits > 0 && (
        <Tooltip
          label={`${formatNumber(lossyVisits)} of ${formatCount(visits, 'Visit')} lost objects that other Visits of their page received. For each such Visit, ${failedObjectsRules[rule]}.`}
        >
          <Text size="xs" c="var(--mantine-color-error)" tabIndex={0}>
            {formatNumber(lostObjects)} lost in {formatCount(lossyVisits, 'Visit')}
          </Text>
        </Tooltip>
      )}
      {lossyVisits === 0 && failedObjects > 0 && (
        <Text size="xs" c="dimmed">
          in every Visit of their page
        </Text>
      )}
      {unknownVisits > 0 && (
        <Text size="xs" c="dimmed">
          not known for {formatCount(unknownVisits, 'Visit')}
        </Text>
      )}
    </>
  );
}

/** Which Visits a number of failed ones leads to: of those that failed for lost objects, by the rule of the Evaluation, it is stored that they loaded, so all are listed. */
export function failedStatus({ lossyVisits }: Pick<Cell, 'lossyVisits'>, rule: FailedObjectsRule): VisitStatus | null {
  return rule === 'fail' && lossyVisits > 0 ? null : 'failed';
}

import { Anchor, Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useEffect } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';
import { isBaseline } from '#core/comparison/compared-group.ts';
import type { Comparison } from '#core/comparison/comparison.ts';
import type { LatencyOrigin } from '#core/metrics/latency-origin.ts';
import { comparisonQuery, isOpen, runsQuery, methodQuery, wireQuery } from '../../api/queries.ts';
import { problemOf } from '../../api/problem-error.ts';
import { bundlePath, visitsPath } from '../../api/run-requests.ts';
import { useIsAlone, useIsOffline } from '../../components/report-place.ts';
import { CaptionFactsContext } from '../../components/chart/caption-facts-context.ts';
import { Findings } from '../../components/reduction/findings.tsx';
import { NextSteps } from '../../components/run/next-steps.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { styleScenarios } from '../../components/scenario/scenario-style.ts';
import { Section } from '../../components/section.tsx';
import { Term } from '../../components/terms/term.tsx';
import { BlockSection } from './block-section.tsx';
import { ComparisonFacts, PlaceLink } from './comparison-facts.tsx';
import { FigureSection } from './chosen-figure/figure-section.tsx';
import { ConditionsSection } from './conditions-section.tsx';
import { ForestSection } from './forest-section.tsx';
import { KeptOutline } from './outline/kept-outline.tsx';
import { LatencyOriginSwitch } from './latency-origin-switch.tsx';
import { LatencySection } from './latency-section.tsx';
import { MethodSection } from './method/method-section.tsx';
import { MetricSwitch } from './metric-switch.tsx';
import { OutlineView } from './outline/outline-view.tsx';
import { HttpepSection } from './network/httpep-section.tsx';
import { NetworkSection } from './network/network-section.tsx';
import { PointsSection } from './network/points-section.tsx';
import { RenderingSection, TasksSection } from './measured-sections.tsx';
import { ShareButton } from './share/share-button.tsx';
import { SaveReportButton } from './save-report-button.tsx';
import { ScenarioTable } from './scenarios/scenario-table.tsx';
import { UsersSection } from './network/users-section.tsx';
import { useView, readLatencyOrigin } from './use-view.ts';
import { WhySection } from './why-section.tsx';
import { WireSection } from './network/wire-section.tsx';
import type { CaptionFacts } from '#web-ui/src/figures/write-caption.ts';
import { VisitsLink } from '../../components/run/visits-link.tsx';

interface ComparisonPageProps {
  /** Of a shared Comparison, whose address does not have it. */
  runId?: string;
  /** Of a saved report, from when its latencies count. */
  savedFrom?: LatencyOrigin;
}

/** The result of a Run. */
export function ComparisonPage({ runId: sharedId, savedFrom }: ComparisonPageProps) {
  const params = useParams();
  const runId = sharedId ?? params.runId ?? '';
  const isAlone = useIsAlone();
  const [search] = useSearchParams();
  const from = savedFrom ?? readLatencyOrigin(search);
  const query = useQuery({
    ...comparisonQuery(runId, from),
    // The page stays while its latencies are counted from elsewhere.
    placeholderData: (previous) => (previous?.runId === runId ? previous : undefined),
  });
  const parent = { to: `/runs/${runId}`, label: `Run ${runId}` };
  const problem = query.error && problemOf(query.error);
  if (problem?.code === 'visits-deleted')
    return <KeptOutline runId={runId} message={problem.message} {...(!isAlone && { parent })} />;
  return (
    <QueryContent
      query={query}
      what="The Comparison"
      {...(!isAlone && { parent })}
      skeleton={<OutlineView runId={runId} from={from} />}
    >
      {(comparison) => <ComparisonContent comparison={comparison} />}
    </QueryContent>
  );
}

/** Whether a Scenario shows neither a difference nor equivalence. */
function isUndecided({ metrics, primaryMetric }: Comparison): boolean {
  const primary = metrics.find(({ metric }) => metric === primaryMetric);
  return primary?.scenarios.some(({ contrast }) => contrast?.verdict === 'no-difference-shown') === true;
}

function ComparisonContent({ comparison }: { comparison: Comparison }) {
  const { runId, evaluationName, runState, groups, countedFrom = 'navigation-start' } = comparison;
  const isAlone = useIsAlone();
  const isOffline = useIsOffline();
  const changedFromRun =
    useQuery({ ...runsQuery, enabled: !isAlone }).data?.find(({ id }) => id === runId)?.changedFromRun ?? null;
  useReportInStep(comparison);
  const styles = useMemo(
    () => styleScenarios(comparison.scenarios.map((name) => ({ name, baseline: isBaseline(comparison, name) }))),
    [comparison],
  );
  const [view, changeView] = useView(comparison);
  const shown = comparison.metrics.find(({ metric }) => metric === view.metric);

  const facts = useCaptionFacts(comparison);

  return (
    <CaptionFactsContext value={facts}>
      <PageHeader
        title={evaluationName}
        documentTitle={`Comparison: ${evaluationName}`}
        {...(!isAlone && { parent: { to: `/runs/${runId}`, label: `Run ${runId}` } })}
        description={
          <>
            Every <Term of="scenario">Scenario</Term> vs the <Term of="baseline">baseline</Term>
            {groups && (
              <>
                {' '}
                of its <Term of="group">group</Term>
              </>
            )}
            {isAlone && `, in Run ${runId}`}
            {runState !== 'completed' && (
              <>
                , from a{' '}
                {isAlone ? (
                  'Run'
                ) : (
                  <Anchor component={Link} to={`/runs/${runId}`} inherit>
                    Run
                  </Anchor>
                )}{' '}
                that is {runState}:{' '}
                {isOpen(runState) ? 'these are its results so far' : 'some of its Rounds are missing'}
              </>
            )}
          </>
        }
        actions={
          isAlone ? (
            !isOffline && <SaveReportButton runId={runId} from={countedFrom} />
          ) : (
            <>
              <ShareButton runId={runId} />
              <Button component={Link} to={`/runs/compare?runs=${runId}`} variant="default">
                Compare with…
              </Button>
              <SaveReportButton runId={runId} from={countedFrom} />
              <Button
                component="a"
                href={visitsPath(runId, { format: 'csv', from: countedFrom })}
                download
                variant="default"
              >
                Visits as CSV
              </Button>
              <Button
                component="a"
                href={visitsPath(runId, { format: 'json', from: countedFrom })}
                download
                variant="default"
              >
                JSON
              </Button>
              <Button component="a" href={bundlePath(runId)} download variant="default">
                Bundle
              </Button>
            </>
          )
        }
      />
      <div>
        <Findings
          comparison={comparison}
          styles={styles}
          linkOf={({ about }) => <RemarkLink about={about} runId={runId} />}
        />
        <ComparisonFacts comparison={comparison} />
      </div>
      <WhySection comparison={comparison} styles={styles} />
      {!isAlone && !isOpen(runState) && (
        <NextSteps
          runId={runId}
          canAdd={runState === 'completed' || comparison.remarks.some(({ about }) => about === 'added')}
          isUndecided={isUndecided(comparison)}
          changedFromRun={changedFromRun}
        />
      )}
      <LatencyOriginSwitch
        chosen={isOffline ? countedFrom : view.from}
        shown={countedFrom}
        onChange={(from) => changeView({ from })}
      />
      <ConditionsSection
        conditions={comparison.conditions}
        shared={comparison.sharedSettings}
        groups={groups}
        styles={styles}
      />
      <ForestSection comparison={comparison} styles={styles} />
      <FigureSection comparison={comparison} view={view} changeView={changeView} />
      <MetricSwitch
        metric={view.metric}
        primaryMetric={comparison.primaryMetric}
        from={countedFrom}
        onChange={(metric) => changeView({ metric })}
      />
      {shown && (
        <>
          <Section id="scenarios" title="Scenarios">
            <ScenarioTable comparison={comparison} metric={shown} styles={styles} />
          </Section>
          <BlockSection comparison={comparison} metric={shown} styles={styles} />
          <LatencySection comparison={comparison} metric={shown} styles={styles} view={view} changeView={changeView} />
        </>
      )}
      <NetworkSection runId={runId} />
      <RenderingSection comparison={comparison} styles={styles} />
      <TasksSection comparison={comparison} styles={styles} />
      <UsersSection comparison={comparison} styles={styles} />
      <WireSection comparison={comparison} styles={styles} view={view} changeView={changeView} />
      <PointsSection comparison={comparison} styles={styles} />
      <HttpepSection comparison={comparison} styles={styles} />
      <MethodSection comparison={comparison} />
    </CaptionFactsContext>
  );
}

/** The Comparison of a Run under way is requested repeatedly. The wire, the method and the measurements below it are requested again with each Round that it counts. */
function useReportInStep({ runId, runState, roundsCounted, roundsBroken, warmUpRounds }: Comparison): void {
  const client = useQueryClient();
  const isOffline = useIsOffline();
  useEffect(() => {
    if (isOffline) return;
    void client.invalidateQueries(wireQuery(runId));
    void client.invalidateQueries(methodQuery(runId));
    void client.invalidateQueries({ queryKey: ['runs', runId, 'measurements'] });
  }, [client, isOffline, runId, runState, roundsCounted, roundsBroken, warmUpRounds]);
}

/** What captions of a Comparison's figures say of its Run. */
function useCaptionFacts(comparison: Comparison): CaptionFacts {
  const method = useQuery(methodQuery(comparison.runId)).data;
  return useMemo(() => {
    const { evaluationName, runId, seed, roundsCounted, confidence, intervalConfidence } = comparison;
    const scenarios = comparison.metrics.find(({ metric }) => metric === comparison.primaryMetric)?.scenarios ?? [];
    const visits = scenarios.reduce((sum, scenario) => sum + scenario.visits, 0);
    return {
      evaluationName,
      runId,
      seed,
      isRandomOrder: method ? method.order === 'random-blocks' : null,
      roundsCounted,
      visits,
      confidence,
      intervalConfidence,
      version: method?.controllerVersion ?? null,
    };
  }, [comparison, method]);
}

/** A link to the subject of a remark. */
function RemarkLink({ about, runId }: { about: Comparison['remarks'][number]['about']; runId: string }) {
  const isAlone = useIsAlone();
  switch (about) {
    case 'order':
    case 'added':
    case 'host-load':
      return <PlaceLink place="method">Method</PlaceLink>;
    case 'failed':
    case 'unsettled':
      return isAlone ? null : <VisitsLink filter={{ runId, status: about }}>The {about} Visits</VisitsLink>;
    case 'start-order':
      return <PlaceLink place="users">Start order</PlaceLink>;
    case 'lost-objects':
      return isAlone ? (
        <PlaceLink place="scenarios">Scenarios</PlaceLink>
      ) : (
        <VisitsLink filter={{ runId, status: 'failed-objects' }}>Visits with failed objects</VisitsLink>
      );
    case 'flag':
    case 'lossy':
    case 'ended-tls':
      return <PlaceLink place="scenarios">Scenarios</PlaceLink>;
  }
}

import { Anchor, SimpleGrid } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useEffect } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';
import { baselineOf } from '#core/comparison/compared-group.ts';
import type { Comparison } from '#core/comparison/comparison.ts';
import type { LatencyOrigin } from '#core/metrics/latency-origin.ts';
import type { RunMethod } from '#core/record/run-method.ts';
import { isOpen } from '#core/protocol/api/run-summary.ts';
import { pairsQuery, type PairFilter } from '../../api/pair-search.ts';
import { comparisonQuery, methodQuery, wireQuery } from '../../api/queries.ts';
import { problemOf } from '../../api/request.ts';
import { useIsAlone, useIsOffline } from '../../components/report-place.ts';
import { CaptionFactsContext } from '../../components/chart/caption-facts-context.ts';
import { FoldedRow, Folded } from '../../components/folded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { styleScenarios } from '../../components/scenario/scenario-style.ts';
import { Section } from '../../components/section.tsx';
import { Term } from '../../components/terms/term.tsx';
import { FilmsOfPage } from '../visit/film/films-of-pair.tsx';
import { AnswerSection } from './answer/answer-section.tsx';
import { BlockSection } from './block-section.tsx';
import { FigureSection } from './chosen-figure/figure-section.tsx';
import { ExportMenu } from './export-menu.tsx';
import { ForestSection } from './forest-section.tsx';
import { LatencySection } from './latency-section.tsx';
import { MethodSection } from './method/method-section.tsx';
import { OutlineView, KeptOutline } from './outline-view.tsx';
import { NetworkSection, HttpepSection } from './network/network-section.tsx';
import { PageContents, type PagePart } from './page-contents.tsx';
import { PointsSection } from './network/points-section.tsx';
import { RenderingSection, TasksSection } from './measured-sections.tsx';
import { ScenarioTable } from './scenarios/scenario-table.tsx';
import { UsersSection } from './network/users-section.tsx';
import { useView, readLatencyOrigin } from './use-view.ts';
import { WhySection } from './why-section.tsx';
import classes from './comparison-page.module.css';
import { WireSection } from './network/wire-section.tsx';
import { type CaptionFacts, gatherCaptionFacts } from '#web-ui/src/figures/write-caption.ts';

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

function ComparisonContent({ comparison }: { comparison: Comparison }) {
  const { runId, evaluationName, runState, groups, countedFrom = 'navigation-start' } = comparison;
  const isAlone = useIsAlone();
  const isOffline = useIsOffline();
  const method = useQuery(methodQuery(runId)).data;
  useReportInStep(comparison);
  const styles = useMemo(
    () =>
      styleScenarios(
        comparison.conditions.map(({ scenario: name, isBaseline: baseline, group, trait }) => ({
          name,
          baseline,
          group,
          trait,
        })),
      ),
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
          (groups !== undefined || isAlone || runState !== 'completed') && (
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
          )
        }
        actions={!isOffline && <ExportMenu runId={runId} from={countedFrom} />}
      />
      <AnswerSection comparison={comparison} styles={styles} />
      <PageContents
        parts={listParts(comparison, method)}
        view={isOffline ? { ...view, from: countedFrom } : view}
        changeView={changeView}
        shownFrom={countedFrom}
      />
      <WhySection comparison={comparison} styles={styles} />
      <Films comparison={comparison} />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl" className={classes.figures}>
        <FigureSection comparison={comparison} view={view} changeView={changeView} />
        <ForestSection comparison={comparison} styles={styles} />
      </SimpleGrid>
      {shown && (
        <>
          <Section id="scenarios" title="Scenarios">
            <ScenarioTable comparison={comparison} metric={shown} styles={styles} />
          </Section>
          <LatencySection comparison={comparison} metric={shown} styles={styles} view={view} changeView={changeView} />
        </>
      )}
      <FoldedRow>
        {shown && <BlockSection comparison={comparison} metric={shown} styles={styles} />}
        <RenderingSection comparison={comparison} styles={styles} />
        <TasksSection comparison={comparison} styles={styles} />
      </FoldedRow>
      <UsersSection comparison={comparison} styles={styles} />
      <WireSection comparison={comparison} styles={styles} view={view} changeView={changeView} />
      <PointsSection comparison={comparison} styles={styles} />
      <HttpepSection comparison={comparison} styles={styles} />
      <NetworkSection runId={runId} />
      <MethodSection comparison={comparison} styles={styles} />
    </CaptionFactsContext>
  );
}

/** The parts that this Comparison has, in their order. */
function listParts(
  { userAgents, noCapture, capturePoints, httpep }: Comparison,
  method: RunMethod | undefined,
): PagePart[] {
  const network = (method?.networkFigures ?? []).length > 0 ? 'network' : null;
  const ofLink = [noCapture === null && 'wire', capturePoints && 'capture-points', httpep && 'httpep', network].find(
    (place) => typeof place === 'string',
  );
  return [
    { place: 'answer', name: 'Answer' },
    { place: 'why', name: 'Why' },
    { place: 'scenarios', name: 'Pages' },
    ...(userAgents.length > 1 ? [{ place: 'users', name: 'Users' }] : []),
    ...(ofLink ? [{ place: ofLink, name: 'Link and packets' }] : []),
    { place: 'method', name: 'Method' },
  ];
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
  return useMemo(() => gatherCaptionFacts(comparison, method ?? null), [comparison, method]);
}

/** The films of the page that differs most, of the Scenario that differs most. Not there where that page was not filmed. */
function Films({ comparison }: { comparison: Comparison }) {
  const isAlone = useIsAlone();
  const filter = findMostDifferent(comparison);
  const { data: pairs } = useQuery({ ...pairsQuery(filter ?? nothing), enabled: filter !== null && !isAlone });
  if (filter === null || !pairs?.filmed) return null;
  return (
    <Folded summary={`Films of ${filter.first} and ${filter.second}, from where they differ most`}>
      <FilmsOfPage {...filter} />
    </Folded>
  );
}

/** Of a query that is not asked. */
const nothing: PairFilter = { runId: '', url: '', first: '', second: '', userAgent: null, metric: 'totalMs' };

function findMostDifferent(comparison: Comparison): PairFilter | null {
  const { runId, metrics, primaryMetric } = comparison;
  const primary = metrics.find(({ metric }) => metric === primaryMetric)!;
  const pages = primary.cells.filter(({ userAgent, reduction }) => userAgent === null && reduction !== null);
  const [most] = pages.toSorted((one, other) => sizeOf(other) - sizeOf(one));
  if (!most) return null;
  const { url, scenario } = most;
  return {
    runId,
    url,
    first: baselineOf(comparison, scenario),
    second: scenario,
    userAgent: null,
    metric: primaryMetric,
  };
}

function sizeOf({ reduction }: Comparison['metrics'][number]['cells'][number]): number {
  return Math.abs(Math.log1p(-reduction!.ratio));
}

import { Alert, Anchor, Group, Stack, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Navigate, useParams, useSearchParams, Link } from 'react-router';
import { pairAddress, readPairSearch, pairsQuery, type PairFilter, type PairSearch } from '../../api/pair-search.ts';
import { visitQuery } from '../../api/queries.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import type { VisitDetail } from '#core/protocol/api/stored-visit.ts';
import { causes } from '#core/causes/causes.ts';
import { lowerFirst } from '#core/comparison/findings/finding-words.ts';
import { placePath } from '#web-ui/src/waterfall/build-waterfall.ts';
import causeClasses from '../../components/causes/causes.module.css';
import { nameLatency } from '#core/metrics/latency-origin.ts';
import { CauseBars } from '../../components/causes/cause-bars.tsx';
import { ScenarioName } from '../../components/scenario/scenario-name.tsx';
import { Term } from '../../components/terms/term.tsx';
import { describeRows, findCommonDifferences, isDiffering } from './describe-differences.ts';
import { PairFacts } from './pair-facts.tsx';
import { PairSteps } from './pair-steps.tsx';
import { useSeenVisit, type SeenVisit, endOfVisit, pathOf } from '../visit/use-seen-visit.ts';
import { Section } from '../../components/section.tsx';
import { FilmsOfSeen, hasFilm } from '../visit/film/films-of-pair.tsx';
import { useMemo, useState } from 'react';
import { matchRows } from '#web-ui/src/waterfall/match-rows.ts';
import { makeScale } from '../visit/time-lane.tsx';
import { markVisit } from '../visit/visit-markers.ts';
import { WaterfallLegend } from '../visit/waterfall-legend.tsx';
import { PairTable } from './pair-table.tsx';

/** Two Visits side by side: those of the address, the median ones of a page, or a Visit and the one of the same Block under another Scenario. */
export function CompareVisitsPage() {
  const { runId = '' } = useParams();
  const [search] = useSearchParams();
  const asked = readPairSearch(search);
  const { first, second, url, scenarios, userAgent, metric, block, cause } = asked;
  if (first !== null && second !== null) return <TwoVisits {...{ runId, first, second, userAgent, metric, cause }} />;
  if (first !== null && search.get('with') !== null)
    return <Counterpart runId={runId} first={first} scenario={search.get('with')!} metric={metric} />;
  if (url !== null && scenarios)
    return <PairOfPage filter={{ runId, url, ...scenarios, userAgent, metric }} block={block} cause={cause} />;
  return (
    <NoPair runId={runId}>
      The address names no Visits. Open a page of the Comparison, and choose its Visits there.
    </NoPair>
  );
}

/** Those of one Block where it is among the first ones, else the median Visits. */
function PairOfPage({ filter, block, cause }: { filter: PairFilter } & Pick<PairSearch, 'block' | 'cause'>) {
  const query = useQuery(pairsQuery(filter));
  const { runId, first, second, userAgent, metric } = filter;
  return (
    <QueryContent query={query} what="The two Visits" parent={parentOf(runId)}>
      {({ pairs, median }) => {
        const pair = pairs.find((each) => each.block === block) ?? median;
        return pair ? (
          <Navigate
            replace
            to={pairAddress(runId, { first: pair.first.id, second: pair.second.id, userAgent, metric, cause })}
          />
        ) : (
          <NoPair runId={runId}>
            No Visit of this page has this latency under both {first} and {second}.
          </NoPair>
        );
      }}
    </QueryContent>
  );
}

type CounterpartProps = Pick<PairFilter, 'runId' | 'metric'> & { first: string; scenario: string };

function Counterpart({ runId, first, scenario, metric }: CounterpartProps) {
  const visit = useQuery(visitQuery(first));
  const pairs = useQuery({
    ...pairsQuery({
      runId,
      url: visit.data?.url ?? '',
      first: visit.data?.scenario ?? '',
      second: scenario,
      userAgent: visit.data?.userAgent ?? null,
      metric,
    }),
    enabled: visit.data !== undefined,
  });
  return (
    <QueryContent query={visit} what="The Visit" parent={parentOf(runId)}>
      {({ userAgent }) => (
        <QueryContent query={pairs} what="The two Visits">
          {({ pairs: found, median }) => {
            const second = found.find((pair) => pair.first.id === first)?.second.id ?? median?.second.id;
            return second === undefined ? (
              <NoPair runId={runId}>No Visit of this page has this latency under {scenario}.</NoPair>
            ) : (
              <Navigate replace to={pairAddress(runId, { first, second, userAgent, metric })} />
            );
          }}
        </QueryContent>
      )}
    </QueryContent>
  );
}

function NoPair({ runId, children }: { runId: string; children: React.ReactNode }) {
  return (
    <>
      <PageHeader title="Two Visits" parent={parentOf(runId)} />
      <Alert>{children}</Alert>
    </>
  );
}

const parentOf = (runId: string) => ({ to: `/runs/${runId}/comparison`, label: `Comparison of Run ${runId}` });

type TwoVisitsProps = Pick<PairFilter, 'runId' | 'userAgent' | 'metric'> &
  Pick<PairSearch, 'cause'> & { first: string; second: string };

/** Two Visits on one time axis. */
function TwoVisits({ runId, first, second, userAgent, metric, cause }: TwoVisitsProps) {
  const queries = [useQuery(visitQuery(first)), useQuery(visitQuery(second))] as const;
  return (
    <QueryContent query={queries[0]} what="The first Visit" parent={parentOf(runId)}>
      {(one) => (
        <QueryContent query={queries[1]} what="The second Visit" parent={parentOf(runId)}>
          {(other) => <PairContent visits={[one, other]} {...{ userAgent, metric, cause }} />}
        </QueryContent>
      )}
    </QueryContent>
  );
}

function PairContent({
  visits: [one, other],
  userAgent,
  metric,
  cause,
}: { visits: [VisitDetail, VisitDetail] } & Pick<PairFilter, 'userAgent' | 'metric'> & Pick<PairSearch, 'cause'>) {
  const first = useSeenVisit(one);
  const second = useSeenVisit(other);
  return (
    <>
      <PageHeader
        title={one.url.replace(/^https?:\/\//i, '')}
        documentTitle={`Two Visits of ${one.url}`}
        parent={parentOf(one.runId)}
        description={
          <>
            Two <Term of="visit">Visits</Term> of this page on one time axis, from navigation start.
          </>
        }
      />
      <Group gap="xl">
        <VisitName seen={first} />
        <VisitName seen={second} />
      </Group>
      <PairSteps first={one} second={other} userAgent={userAgent} metric={metric} />
      <PairFacts first={first} second={second} />
      <PairCauses first={first} second={second} metric={metric} cause={cause} />
      <PairFilms first={first} second={second} userAgent={userAgent} metric={metric} />
      <PairRequests first={first} second={second} metric={metric} cause={cause} />
    </>
  );
}

/** Whose Visit it is, with the way to its own page. */
function VisitName({ seen: { visit, style } }: { seen: SeenVisit }) {
  return (
    <Group gap="xs">
      <ScenarioName name={visit.scenario} style={style} />
      <span>
        {visit.userAgent}, Block {visit.block}
        {visit.repetition > 1 && `, repetition ${visit.repetition}`}
      </span>
      <Anchor component={Link} to={`/runs/${visit.runId}/visits/${visit.id}`} size="sm">
        This Visit alone
      </Anchor>
    </Group>
  );
}

/** What the latency of either is made of. Not there where one has no such latency. */
function PairCauses({
  first,
  second,
  metric,
  cause,
}: Record<'first' | 'second', SeenVisit> & Pick<PairSearch, 'metric' | 'cause'>) {
  const bars = [first, second].flatMap(({ visit, causes, style }) => {
    const split = causes?.[metric];
    return split
      ? [{ key: visit.id, name: <ScenarioName name={visit.scenario} style={style} />, parts: split.parts }]
      : [];
  });
  if (bars.length < 2) return null;
  return (
    <Section title={`Why: ${nameLatency(metric).toLowerCase()}`}>
      <CauseBars bars={bars} chosen={cause} />
    </Section>
  );
}

/** Both films on one clock; where neither Visit has one, those of two others. Not there where there are none. */
function PairFilms({
  first,
  second,
  userAgent,
  metric,
}: Record<'first' | 'second', SeenVisit> & Pick<PairFilter, 'userAgent' | 'metric'>) {
  const { runId, url, scenario } = first.visit;
  const isFilmed = hasFilm(first) || hasFilm(second);
  const { data: pairs } = useQuery({
    ...pairsQuery({ runId, url, first: scenario, second: second.visit.scenario, userAgent, metric }),
    enabled:
      !isFilmed && runId === second.visit.runId && url === second.visit.url && scenario !== second.visit.scenario,
  });
  const filmed = pairs?.filmed ?? null;
  if (!isFilmed && filmed === null) return null;
  return (
    <Section title="Films">
      <FilmsOfSeen first={first} second={second} filmed={filmed} />
    </Section>
  );
}

/** The requests of both Visits, object by object, on one time axis. */
function PairRequests({
  first,
  second,
  metric,
  cause,
}: Record<'first' | 'second', SeenVisit> & Pick<PairSearch, 'metric' | 'cause'>) {
  const [chosenKey, setChosenKey] = useState<string | null>(null);
  const rows = useMemo(
    () => matchRows(first.waterfall?.rows ?? [], second.waterfall?.rows ?? []),
    [first.waterfall, second.waterfall],
  );
  const common = useMemo(() => findCommonDifferences(rows), [rows]);
  const [showsAll, setShowsAll] = useState(true);
  const shown = useMemo(
    () => (showsAll ? rows : rows.filter((row) => isDiffering(row, common))),
    [rows, common, showsAll],
  );
  const paths = useMemo(
    () =>
      [first, second].map((seen) =>
        placePath(
          pathOf(seen, metric).filter((step) => cause === null || step.cause === cause),
          seen.waterfall?.rows ?? [],
        ),
      ),
    [first, second, metric, cause],
  );
  const endMs = Math.max(endOfVisit(first), endOfVisit(second));
  const scales = [first, second].map(({ visit }) => makeScale(endMs, markVisit(visit), endMs));
  return (
    <Section title="Requests">
      <Stack gap="sm" className={causeClasses.causes}>
        <Group justify="space-between" align="end">
          <WaterfallLegend markers={markVisit(first.visit)} others={markVisit(second.visit)} />
          <Text size="xs" c="dimmed">
            {cause === null
              ? 'The line below the bars is the critical path'
              : `The line below the bars: ${lowerFirst(causes[cause].label)}, on the critical path`}{' '}
            of the {nameLatency(metric).toLowerCase()}. {describeRows(rows, common)}.
          </Text>
        </Group>
        <Switch
          label="Only what differs"
          checked={!showsAll}
          onChange={({ currentTarget }) => setShowsAll(!currentTarget.checked)}
          className="no-print"
        />
        <PairTable
          rows={shown}
          common={common}
          first={first}
          second={second}
          scales={[scales[0]!, scales[1]!]}
          paths={paths}
          chosenKey={chosenKey}
          onChoose={(key) => setChosenKey(key === chosenKey ? null : key)}
        />
      </Stack>
    </Section>
  );
}

import { Anchor, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { VisitDetail } from '#core/protocol/api/stored-visit.ts';
import type { PairFilter } from '../../api/pair-requests.ts';
import { visitQuery } from '../../api/queries.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { ScenarioName } from '../../components/scenario/scenario-name.tsx';
import { Term } from '../../components/terms/term.tsx';
import { PairFacts } from './pair-facts.tsx';
import { PairFilms } from './pair-films.tsx';
import { PairRequests } from './pair-requests.tsx';
import { PairSteps } from './pair-steps.tsx';
import { useSeenVisit, type SeenVisit } from '../visit/use-seen-visit.ts';

type TwoVisitsProps = Pick<PairFilter, 'runId' | 'userAgent' | 'metric'> & { first: string; second: string };

/** Two Visits on one time axis. */
export function TwoVisits({ runId, first, second, userAgent, metric }: TwoVisitsProps) {
  const queries = [useQuery(visitQuery(first)), useQuery(visitQuery(second))] as const;
  const parent = { to: `/runs/${runId}/comparison`, label: `Comparison of Run ${runId}` };
  return (
    <QueryContent query={queries[0]} what="The first Visit" parent={parent}>
      {(one) => (
        <QueryContent query={queries[1]} what="The second Visit" parent={parent}>
          {(other) => <PairContent visits={[one, other]} userAgent={userAgent} metric={metric} />}
        </QueryContent>
      )}
    </QueryContent>
  );
}

function PairContent({
  visits: [one, other],
  userAgent,
  metric,
}: { visits: [VisitDetail, VisitDetail] } & Pick<PairFilter, 'userAgent' | 'metric'>) {
  const first = useSeenVisit(one);
  const second = useSeenVisit(other);
  return (
    <>
      <PageHeader
        title={one.url.replace(/^https?:\/\//i, '')}
        documentTitle={`Two Visits of ${one.url}`}
        parent={{ to: `/runs/${one.runId}/comparison`, label: `Comparison of Run ${one.runId}` }}
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
      <PairFilms first={first} second={second} />
      <PairRequests first={first} second={second} />
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

import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Navigate, useParams, useSearchParams } from 'react-router';
import { pairsQuery, type PairFilter } from '../../api/pair-requests.ts';
import { pairAddress, readPairSearch } from '../../api/pair-search.ts';
import { visitQuery } from '../../api/queries.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { TwoVisits } from './two-visits.tsx';

/** Two Visits side by side: those of the address, the median ones of a page, or a Visit and the one of the same Block under another Scenario. */
export function CompareVisitsPage() {
  const { runId = '' } = useParams();
  const [search] = useSearchParams();
  const asked = readPairSearch(search);
  const { first, second, url, scenarios, userAgent, metric } = asked;
  if (first !== null && second !== null)
    return <TwoVisits runId={runId} first={first} second={second} userAgent={userAgent} metric={metric} />;
  if (first !== null && search.get('with') !== null)
    return <Counterpart runId={runId} first={first} scenario={search.get('with')!} metric={metric} />;
  if (url !== null && scenarios) return <MedianPair filter={{ runId, url, ...scenarios, userAgent, metric }} />;
  return (
    <NoPair runId={runId}>
      The address names no Visits. Open a page of the Comparison, and choose its Visits there.
    </NoPair>
  );
}

function MedianPair({ filter }: { filter: PairFilter }) {
  const query = useQuery(pairsQuery(filter));
  const { runId, first, second, userAgent, metric } = filter;
  return (
    <QueryContent query={query} what="The two Visits" parent={parentOf(runId)}>
      {({ median }) =>
        median ? (
          <Navigate
            replace
            to={pairAddress(runId, { first: median.first.id, second: median.second.id, userAgent, metric })}
          />
        ) : (
          <NoPair runId={runId}>
            No Visit of this page has this latency under both {first} and {second}.
          </NoPair>
        )
      }
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

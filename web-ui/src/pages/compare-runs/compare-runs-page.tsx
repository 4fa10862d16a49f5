import { Alert, MultiSelect, Skeleton } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { comparisonQuery, runsQuery } from '../../api/queries.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { RunsSideBySide } from './runs-side-by-side.tsx';

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

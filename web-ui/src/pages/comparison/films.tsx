import { useQuery } from '@tanstack/react-query';
import { baselineOf } from '#core/comparison/compared-group.ts';
import type { Comparison } from '#core/comparison/comparison.ts';
import { pairsQuery, type PairFilter } from '../../api/pair-search.ts';
import { Folded } from '../../components/folded.tsx';
import { useIsAlone } from '../../components/report-place.ts';
import { FilmsOfPage } from '../visit/film/films-of-pair.tsx';

/** The films of the page that differs most, of the Scenario that differs most. Not there where that page was not filmed. */
export function Films({ comparison }: { comparison: Comparison }) {
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

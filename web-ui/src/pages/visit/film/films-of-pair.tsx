import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { VisitDetail } from '#core/protocol/api/stored-visit.ts';
import type { VisitPairs } from '#core/protocol/api/visit-pairs.ts';
import { describePlot } from '#web-ui/src/figures/describe-plot.ts';
import { pairsQuery, type PairFilter } from '../../../api/pair-search.ts';
import { visitQuery } from '../../../api/queries.ts';
import { ChartFigure } from '../../../components/chart/chart-figure.tsx';
import type { Figure } from '../../../components/chart/figure.ts';
import { QueryContent } from '../../../components/query-content.tsx';
import { formatPercent } from '../../../format/format-ratios.ts';
import { formatMs } from '../../../format/format-times.ts';
import { useSeenVisit, type SeenVisit } from '../use-seen-visit.ts';
import { makeFilm, endOfFilms, hasProgress, type Film } from './film.ts';
import { FilmPlayer } from './film-player.tsx';

interface PairIds {
  first: string;
  second: string;
}

/** The films of a page: of its median Visits or, where these have none, of two others, such as those of the warm-up Block. Nothing where there are none. */
export function FilmsOfPage(filter: PairFilter) {
  const { data: pairs } = useQuery(pairsQuery(filter));
  if (!pairs) return null;
  const { median, filmed } = pairs;
  if (median)
    return <FilmsOfPair first={median.first.id} second={median.second.id} filmed={filmed} called="The median Visits" />;
  return filmed && <FilmsOfPair {...filmed} />;
}

interface Otherwise {
  /** Whose films are shown where these two have none. */
  filmed?: VisitPairs['filmed'];
  /** What these two are called then. */
  called?: string;
}

/** The films of two Visits, opened where they differ most. */
export function FilmsOfPair({ first, second, ...otherwise }: PairIds & Otherwise) {
  const queries = [useQuery(visitQuery(first)), useQuery(visitQuery(second))] as const;
  return (
    <QueryContent query={queries[0]} what="The first film">
      {(one) => (
        <QueryContent query={queries[1]} what="The second film">
          {(other) => <FilmsOfVisits visits={[one, other]} {...otherwise} />}
        </QueryContent>
      )}
    </QueryContent>
  );
}

function FilmsOfVisits({ visits: [one, other], ...otherwise }: { visits: [VisitDetail, VisitDetail] } & Otherwise) {
  return <FilmsOfSeen first={useSeenVisit(one)} second={useSeenVisit(other)} {...otherwise} />;
}

/** The same of Visits that are there already. */
export function FilmsOfSeen({
  first,
  second,
  filmed = null,
  called = 'These two Visits',
}: Record<'first' | 'second', SeenVisit> & Otherwise) {
  const { url, warmUp } = first.visit;
  const films = useMemo(() => [first, second].map(makeFilm), [first, second]);
  const figure = useMemo(() => progressFigure(films, url), [films, url]);
  if (!hasFilm(first) && !hasFilm(second))
    return (
      filmed && (
        <>
          <Text size="sm" c="dimmed">
            {called} were not filmed. The films are of two others of this page.
          </Text>
          <FilmsOfPair {...filmed} />
        </>
      )
    );
  return (
    <>
      {warmUp && (
        <Text size="sm" c="dimmed">
          From the warm-up Block, which no figure includes. Its Visits are the first ones: their times are their own.
        </Text>
      )}
      <FilmPlayer key={`${first.visit.id} ${second.visit.id}`} films={films} />
      {figure && <ChartFigure figure={figure} heightPx={200} />}
    </>
  );
}

export function hasFilm({ looks }: Pick<SeenVisit, 'looks'>): boolean {
  return looks.length > 0;
}

const unnamed = { colour: '#808080', shape: 'circle' } as const;

/** How the viewport filled, a line for each film. Null where the visual progress of one is not known: half of a comparison misleads. */
export function progressFigure(films: readonly Film[], url: string): Figure | null {
  if (films.length === 0 || !films.every(({ looks }) => hasProgress(looks))) return null;
  const endMs = Math.ceil(endOfFilms(films));
  return {
    title: `Visual progress of ${url}`,
    fileName: `visual progress ${url}`,
    table: {
      columns: [{ label: 'Scenario' }, { label: 'time', unit: 'ms' }, { label: 'visual progress', decimals: 3 }],
      rows: films.flatMap(({ name, looks }) =>
        looks.map(({ atMs, progressRatio }) => [name, atMs, progressRatio ?? null]),
      ),
    },
    describe: describePlot(() => ({
      x: {
        kind: 'numbers',
        title: 'Time from navigation start',
        unit: 'ms',
        startsAtZero: true,
        limits: { max: endMs },
      },
      y: {
        kind: 'numbers',
        title: 'Visual progress',
        format: (value) => `${Math.round(value * 100)} %`,
        startsAtZero: true,
        limits: { max: 1 },
      },
      layers: films.map(({ name, style, looks }) => ({
        kind: 'steps',
        label: name,
        look: style ?? unnamed,
        pointPx: 2.5,
        marks: [
          ...looks.map(({ atMs, progressRatio = 0 }) => placeProgress(atMs, progressRatio)),
          // The last look stays.
          placeProgress(endMs, looks.at(-1)!.progressRatio!),
        ],
      })),
      // As much as a mark at 100 % needs.
      clip: 6,
      reads: 'nearest',
    })),
  };
}

function placeProgress(ms: number, ratio: number) {
  return { x: ms, y: ratio, text: `${formatPercent(ratio)} from ${formatMs(ms)}` };
}

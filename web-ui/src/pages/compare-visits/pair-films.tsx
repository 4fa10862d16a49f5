import { Stack, Text } from '@mantine/core';
import { ScenarioName } from '../../components/scenario-name.tsx';
import { Section } from '../../components/section.tsx';
import { makeFilm } from '../visit/film/film.ts';
import { FilmPlayer } from '../visit/film/film-player.tsx';
import { Filmstrip } from '../visit/filmstrip.tsx';
import { makeScale } from '../visit/time-lane.tsx';
import { markVisit } from '../visit/visit-markers.ts';
import { endOfVisit } from '../visit/end-of-visit.ts';
import type { SeenVisit } from '../visit/use-seen-visit.ts';

/** Both films on one clock, and their strips over one time axis. Not there where neither Visit has one. */
export function PairFilms({ first, second }: { first: SeenVisit; second: SeenVisit }) {
  const both = [first, second];
  if (both.every(({ looks }) => looks.length === 0)) return null;
  const endMs = Math.max(...both.map(endOfVisit));
  return (
    <Section title="Films">
      <Stack gap="md">
        <FilmPlayer films={both.map(makeFilm)} />
        {both.map(({ visit, looks, style }, index) => (
          <div key={index}>
            <ScenarioName name={visit.scenario} style={style} />
            {visit.filmstrip?.kind === 'kept' && visit.snapshot ? (
              <Filmstrip
                looks={looks}
                leftOut={visit.filmstrip.leftOut}
                viewport={visit.snapshot.viewport}
                scale={makeScale(endMs, markVisit(visit), endMs)}
              />
            ) : (
              <Text size="sm" c="dimmed">
                No filmstrip: {visit.filmstrip?.kind === 'absent' ? visit.filmstrip.reason : 'none was requested.'}
              </Text>
            )}
          </div>
        ))}
      </Stack>
    </Section>
  );
}

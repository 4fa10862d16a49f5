import { Section } from '../../components/section.tsx';
import { makeFilm } from '../visit/film/film.ts';
import { FilmPlayer } from '../visit/film/film-player.tsx';
import type { SeenVisit } from '../visit/use-seen-visit.ts';

/** Both films on one clock. Not there where neither Visit has one. */
export function PairFilms({ first, second }: { first: SeenVisit; second: SeenVisit }) {
  const both = [first, second];
  if (both.every(({ looks }) => looks.length === 0)) return null;
  return (
    <Section title="Films">
      <FilmPlayer films={both.map(makeFilm)} />
    </Section>
  );
}

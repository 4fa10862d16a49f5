import { Group, Slider, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { ScenarioName } from '../../../components/scenario/scenario-name.tsx';
import { formatMs } from '../../../format/format-ms.ts';
import { FilmPicture } from '../film-picture.tsx';
import { lookAt, type Film } from './film.ts';
import classes from './film-player.module.css';
import { describeMoments } from './record-films.ts';

export type OverWay = 'wipe' | 'blend';

export const overWays: { value: OverWay; label: string }[] = [
  { value: 'wipe', label: 'Wipe' },
  { value: 'blend', label: 'Blend' },
];

/** Two films over one another at one time. A slider wipes from the first to the second, or blends them. */
export function FilmsOver({ films, ms, way }: { films: readonly [Film, Film]; ms: number; way: OverWay }) {
  const [percent, setPercent] = useState(50);
  const [one, other] = films;
  const style = way === 'wipe' ? { clipPath: `inset(0 0 0 ${percent}%)` } : { opacity: percent / 100 };
  return (
    <Stack gap={6} maw={640}>
      <Group justify="space-between" gap="xs">
        <ScenarioName name={one.name} style={one.style} />
        <ScenarioName name={other.name} style={other.style} />
      </Group>
      <div className={classes.picture} style={{ aspectRatio: one.shape }}>
        <Layer film={one} ms={ms} />
        <Layer film={other} ms={ms} style={style} />
        {way === 'wipe' && <div className={classes.edge} style={{ left: `${percent}%` }} />}
      </div>
      <Slider
        value={percent}
        onChange={setPercent}
        label={null}
        thumbLabel={way === 'wipe' ? 'Where the second film begins' : 'How much of the second film is seen'}
      />
      {films.map((film, index) => (
        <Text key={index} size="sm" style={{ whiteSpace: 'pre-wrap', fontVariantNumeric: 'tabular-nums' }}>
          {film.name}: {describeMoments(film, ms) || '—'}
        </Text>
      ))}
    </Stack>
  );
}

function Layer({ film, ms, style = {} }: { film: Film; ms: number; style?: { clipPath?: string; opacity?: number } }) {
  const look = lookAt(film, ms);
  return (
    <div className={classes.layer} style={style}>
      {look && <FilmPicture sha256={look.sha256} alt={`Viewport of ${film.name} at ${formatMs(ms)}`} />}
    </div>
  );
}

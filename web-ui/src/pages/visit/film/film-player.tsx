import { Button, Group, SegmentedControl, SimpleGrid, Slider, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { ProblemAlert } from '../../../components/problem-alert.tsx';
import { ScenarioName } from '../../../components/scenario/scenario-name.tsx';
import { saveFile, nameFile } from '../../../export/save-file.ts';
import { formatMs } from '../../../format/format-times.ts';
import { FilmPicture } from '../film-picture.tsx';
import { endOfFilms, findLargestDifference, lookAt, type Film } from './film.ts';
import classes from './film-player.module.css';
import { describeMoments, findVideoType, recordFilms } from './record-films.ts';

const speeds = [
  { value: '1', label: 'As it was' },
  { value: '0.25', label: '¼ speed' },
];

/** Films on one clock, to be played, searched and saved as one video. Two of them begin where they differ most, and may lie over one another. */
export function FilmPlayer({ films }: { films: readonly Film[] }) {
  const endMs = endOfFilms(films);
  const [one, other] = films;
  const pair = one && other && films.length === 2 ? ([one, other] as const) : null;
  const [ms, setMs] = useState(() => (pair ? findLargestDifference(pair) : 0));
  const [way, setWay] = useState<OverWay | 'beside'>('beside');
  const [isPlaying, setPlaying] = useState(false);
  const [speed, setSpeed] = useState('1');
  useEffect(() => {
    if (!isPlaying) return;
    let [beforeMs, handle] = [performance.now(), 0];
    const step = () => {
      const now = performance.now();
      const passedMs = (now - beforeMs) * Number(speed);
      beforeMs = now;
      setMs((shown) => {
        if (shown + passedMs >= endMs) setPlaying(false);
        return Math.min(endMs, shown + passedMs);
      });
      handle = requestAnimationFrame(step);
    };
    handle = requestAnimationFrame(step);
    return () => cancelAnimationFrame(handle);
  }, [isPlaying, speed, endMs]);
  const toggle = () => {
    if (!isPlaying && ms >= endMs) setMs(0);
    setPlaying(!isPlaying);
  };
  const goTo = (next: number) => {
    setPlaying(false);
    setMs(next);
  };
  return (
    <Stack gap="xs" role="group" aria-label={films.length === 1 ? 'Film' : 'Films'}>
      {pair && (
        <Group gap="xs" className="no-print">
          <SegmentedControl
            size="xs"
            aria-label="How the two films are shown"
            data={[{ value: 'beside', label: 'Side by side' }, ...overWays]}
            value={way}
            onChange={setWay}
          />
          <Button variant="default" onClick={() => goTo(findLargestDifference(pair))}>
            Largest difference
          </Button>
        </Group>
      )}
      {pair && way !== 'beside' ? (
        <FilmsOver films={pair} ms={ms} way={way} />
      ) : (
        <SimpleGrid cols={{ base: 1, sm: Math.min(2, films.length) }} spacing="md">
          {films.map((film, index) => (
            <FilmAt key={index} film={film} ms={ms} />
          ))}
        </SimpleGrid>
      )}
      <Group gap="md" className="no-print">
        <Button variant="default" onClick={toggle} w={90}>
          {isPlaying ? 'Pause' : 'Play'}
        </Button>
        <Slider
          value={ms}
          min={0}
          max={Math.max(1, endMs)}
          step={Math.max(1, endMs / 500)}
          onChange={goTo}
          label={null}
          thumbLabel={films.length === 1 ? 'Time in the film' : 'Time in the films'}
          flex="1 1 12rem"
        />
        <Text size="sm" w={80} ta="right" style={{ fontVariantNumeric: 'tabular-nums' }}>
          {formatMs(ms)}
        </Text>
        <SegmentedControl size="xs" aria-label="Speed" data={speeds} value={speed} onChange={setSpeed} />
        <SaveVideo films={films} endMs={endMs} />
      </Group>
    </Stack>
  );
}

function FilmAt({ film, ms }: { film: Film; ms: number }) {
  const look = lookAt(film, ms);
  return (
    <div>
      <ScenarioName name={film.name} style={film.style} />
      <div className={classes.picture} style={{ aspectRatio: film.shape }}>
        {look && <FilmPicture sha256={look.sha256} alt={`Viewport at ${formatMs(ms)}`} />}
      </div>
      <Text size="sm" mih="1.4em" style={{ whiteSpace: 'pre-wrap', fontVariantNumeric: 'tabular-nums' }}>
        {describeMoments(film, ms)}
      </Text>
    </div>
  );
}

/** It records while it plays, so it takes as long as the loads did. */
function SaveVideo({ films, endMs }: { films: readonly Film[]; endMs: number }) {
  const [recording, setRecording] = useState<{ abort: AbortController; ms: number } | null>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => () => recording?.abort.abort(new DOMException('Left', 'AbortError')), [recording?.abort]);
  const type = findVideoType();
  if (type === null) return null;
  const save = async () => {
    const abort = new AbortController();
    setError(null);
    setRecording({ abort, ms: 0 });
    try {
      const video = await recordFilms(films, {
        untilMs: endMs,
        type,
        signal: abort.signal,
        onTime: (ms) => setRecording({ abort, ms }),
      });
      saveFile(video, `${nameFile(films.map(({ name }) => name).join(' and '))}.webm`);
    } catch (problem) {
      if (!abort.signal.aborted) setError(problem);
    } finally {
      setRecording(null);
    }
  };
  return (
    <>
      {recording ? (
        <Button variant="default" onClick={() => recording.abort.abort(new DOMException('Cancelled', 'AbortError'))}>
          Recording, {Math.round((100 * recording.ms) / Math.max(1, endMs))} % – Cancel
        </Button>
      ) : (
        <Button variant="default" onClick={() => void save()}>
          Save as video
        </Button>
      )}
      {error !== null && <ProblemAlert title="The video cannot be saved" error={error} />}
    </>
  );
}

type OverWay = 'wipe' | 'blend';

const overWays: { value: OverWay; label: string }[] = [
  { value: 'wipe', label: 'Wipe' },
  { value: 'blend', label: 'Blend' },
];

/** Two films over one another at one time. A slider wipes from the first to the second, or blends them. */
function FilmsOver({ films, ms, way }: { films: readonly [Film, Film]; ms: number; way: OverWay }) {
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

import { Button, Group, SegmentedControl, SimpleGrid, Slider, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { ProblemAlert } from '../../../components/problem-alert.tsx';
import { ScenarioName } from '../../../components/scenario/scenario-name.tsx';
import { saveFile, nameFile } from '../../../export/save-file.ts';
import { formatMs } from '../../../format/format-ms.ts';
import { FilmPicture } from '../film-picture.tsx';
import { endOfFilms, findLargestDifference, lookAt, type Film } from './film.ts';
import { FilmsOver, overWays, type OverWay } from './films-over.tsx';
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

import { Text, UnstyledButton, Button, Group, Modal, Stack } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useState, type KeyboardEvent } from 'react';
import type { Snapshot } from '#core/metrics/snapshot.ts';
import { formatCount } from '../../format/format-numbers.ts';
import { formatMs } from '../../format/format-times.ts';
import { FilmPicture } from './film-picture.tsx';
import { describeLookTime, type Look } from './list-film-looks.ts';
import { ScaleLines, type TimeScale } from './time-lane.tsx';
import classes from './filmstrip.module.css';

const largestPx = { width: 132, height: 100 };
const leastWidthPx = 60;
/** Of a line of its time, under a picture. */
const timePx = 18;
const gapPx = 6;
/** Between the pictures and the axis: the lines from one to the other. */
const leadPx = 26;

interface FilmstripProps {
  looks: Look[];
  /** Looks that the Agent had no room for. */
  leftOut: number;
  viewport: Snapshot['viewport'];
  scale: TimeScale;
}

/** What the viewport showed, and from when on. It stands over a time axis. */
export function Filmstrip({ looks, leftOut, viewport, scale }: FilmstripProps) {
  const { ref, width: widthPx } = useElementSize();
  const [enlarged, setEnlarged] = useState<number | null>(null);
  const picture = fitPicture(viewport);
  const placed =
    widthPx === 0 ? [] : placeLooks(looks, { endMs: scale.endMs, widthPx, pictureWidthPx: picture.width, gapPx });
  const hidden = looks.length - placed.length;
  const lookPx = picture.height + timePx;
  const lanePx = lookPx + leadPx;
  return (
    <div className={classes.film} role="group" aria-label="Filmstrip">
      <Text size="xs" c="dimmed">
        {describeLooks({ count: looks.length, hidden, leftOut, isLastLate: looks.at(-1)?.isLate ?? false })}
      </Text>
      <div ref={ref} className={classes.lane} style={{ height: lanePx }}>
        <svg className={classes.lines} width="100%" height={lanePx} aria-hidden="true">
          <ScaleLines scale={scale} heightPx={lanePx} />
          {placed.map(({ index, leftPx, timePx: momentPx }) => (
            <path
              key={index}
              className={classes.lead}
              d={`M${leftPx + 0.5} ${picture.height} V${lookPx + 4} L${momentPx} ${lanePx - 8} V${lanePx}`}
            />
          ))}
          {looks.map(({ atMs }, index) => (
            <circle
              key={index}
              className={classes.moment}
              cx={`${(100 * atMs) / scale.endMs}%`}
              cy={lanePx - 3}
              r={3}
            />
          ))}
        </svg>
        {placed.map(({ index, leftPx }) => {
          const look = looks[index]!;
          return (
            <UnstyledButton
              key={index}
              className={classes.look}
              style={{ left: leftPx, width: picture.width }}
              onClick={() => setEnlarged(index)}
              title="Enlarge"
            >
              <span className={classes.small} style={{ height: picture.height }}>
                <FilmPicture
                  sha256={look.sha256}
                  alt={`Viewport ${look.isLate ? '' : 'at '}${describeLookTime(look)}`}
                />
              </span>
              <span className={classes.time} aria-hidden="true">
                {describeLookTime(look)}
              </span>
            </UnstyledButton>
          );
        })}
      </div>
      <FilmDialog looks={looks} index={enlarged} onChoose={setEnlarged} />
    </div>
  );
}

/** The largest picture of this viewport's shape that the strip has room for. */
function fitPicture(viewport: Snapshot['viewport']): { width: number; height: number } {
  if (!viewport || viewport.widthPx === 0 || viewport.heightPx === 0) return largestPx;
  const ratio = Math.min(largestPx.width / viewport.widthPx, largestPx.height / viewport.heightPx);
  return {
    width: Math.max(leastWidthPx, Math.round(viewport.widthPx * ratio)),
    height: Math.max(24, Math.round(viewport.heightPx * ratio)),
  };
}

export function describeLooks({
  count,
  hidden,
  leftOut,
  isLastLate,
}: {
  count: number;
  hidden: number;
  leftOut: number;
  isLastLate: boolean;
}): string {
  const parts = [`${formatCount(count, 'Frame')} of the viewport, each from the moment it was shown`];
  if (hidden > 0) parts.push(`${hidden} ${hidden === 1 ? 'is' : 'are'} only in the enlarged view`);
  if (leftOut > 0)
    parts.push(`${leftOut} more, shown for the shortest times, ${leftOut === 1 ? 'was' : 'were'} not kept`);
  if (isLastLate) parts.push('The last was seen only at the end and may have appeared earlier');
  return `${parts.join('. ')}.`;
}

interface FilmDialogProps {
  looks: Look[];
  /** Null: closed. */
  index: number | null;
  onChoose: (index: number | null) => void;
}

/** One look large, and the way to the next: by buttons, or by the arrow keys. */
function FilmDialog({ looks, index, onChoose }: FilmDialogProps) {
  const look = index === null ? undefined : looks[index];
  const step = (by: number) => {
    if (index !== null && looks[index + by]) onChoose(index + by);
  };
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'ArrowLeft') step(-1);
    if (key === 'ArrowRight') step(1);
  };
  return (
    <Modal
      opened={look !== undefined}
      onClose={() => onChoose(null)}
      title="Frame of the viewport"
      size="lg"
      centered
      onKeyDown={onKeyDown}
    >
      {look && index !== null && (
        <Stack gap="sm">
          <div className={classes.large}>
            <FilmPicture sha256={look.sha256} alt={`Viewport ${look.isLate ? '' : 'at '}${describeLookTime(look)}`} />
          </div>
          <Group justify="space-between">
            <Text size="sm" role="status">
              {look.isLate ? 'Seen at' : 'From'} {formatMs(look.atMs)}
              {look.isLate && ', first shown then or earlier'},{' '}
              {look.shownForMs === null ? 'until the end' : `for ${formatMs(look.shownForMs)}`}; {index + 1} of{' '}
              {looks.length}
            </Text>
            <Group gap="xs">
              <Button variant="default" disabled={index === 0} onClick={() => step(-1)}>
                ← Earlier
              </Button>
              <Button variant="default" disabled={index === looks.length - 1} onClick={() => step(1)}>
                Later →
              </Button>
            </Group>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

interface Room {
  endMs: number;
  widthPx: number;
  /** Of one picture, and between two. */
  pictureWidthPx: number;
  gapPx: number;
}

/** A picture of a filmstrip: where its left edge is, and where its time is on the axis. */
interface PlacedLook {
  index: number;
  leftPx: number;
  timePx: number;
}

/**
 * Lays pictures out over a time axis: each begins at its time, or as near to it as the others leave room. Where there is no room for all, those that were shown
 * for the shortest times are left out, never the first or the last.
 */
export function placeLooks(looks: readonly Look[], { endMs, widthPx, pictureWidthPx, gapPx }: Room): PlacedLook[] {
  const stepPx = pictureWidthPx + gapPx;
  const shown = chooseLooks(looks, Math.max(1, Math.floor((widthPx + gapPx) / stepPx)));
  const timesPx = shown.map((index) => (widthPx * looks[index]!.atMs) / endMs);
  const leftsPx: number[] = [];
  for (const timePx of timesPx) leftsPx.push(Math.max(timePx, (leftsPx.at(-1) ?? -Infinity) + stepPx));
  for (let place = leftsPx.length - 1, limitPx = widthPx - pictureWidthPx; place >= 0; place--, limitPx -= stepPx)
    leftsPx[place] = Math.max(0, Math.min(leftsPx[place]!, limitPx));
  return shown.map((index, place) => ({ index, leftPx: leftsPx[place]!, timePx: timesPx[place]! }));
}

/** The positions of `count` looks, in order. Without a look, the one before it covers its time too. So the rest is spread over the axis. */
function chooseLooks(looks: readonly Look[], count: number): number[] {
  const chosen = looks.map((_, index) => index);
  const timeOf = (place: number) => looks[chosen[place]!]!.atMs;
  while (chosen.length > count) {
    let [shortest, leastMs] = [0, Infinity];
    for (let place = 1; place < chosen.length - 1; place++) {
      const standsForMs = timeOf(place + 1) - timeOf(place);
      if (standsForMs < leastMs) [shortest, leastMs] = [place, standsForMs];
    }
    chosen.splice(shortest, 1);
  }
  return chosen;
}

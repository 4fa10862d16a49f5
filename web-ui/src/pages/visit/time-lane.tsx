import type { PathStep } from '#core/causes/critical-path.ts';
import type { RequestPhase } from '#core/causes/request-phases.ts';
import { axisTicks } from '../../components/axis-ticks.ts';
import type { VisitMarker } from './visit-markers.ts';
import { colourOf } from '../../components/causes/cause-bars.tsx';
import classes from './waterfall.module.css';

/** The time that all lanes of a waterfall share. */
export interface TimeScale {
  endMs: number;
  ticksMs: number[];
  markers: VisitMarker[];
}

/** `leastEndMs`: of another Visit that shares the axis. */
export function makeScale(endMs: number, markers: VisitMarker[], leastEndMs = 0): TimeScale {
  const last = Math.max(endMs, leastEndMs, ...markers.map(({ atMs }) => atMs), 1) * 1.02;
  return { endMs: last, ticksMs: axisTicks({ low: 0, high: last }, 6), markers };
}

/** Bars of phases on the time axis. The numbers beside them show the same, so the bars are hidden from screen readers. */
export function TimeLane({
  phases,
  path = [],
  scale,
  heightPx = 26,
  barPx: thickPx = 14,
}: {
  phases: RequestPhase[];
  /** What of the critical path is in this lane: a line below the bars. */
  path?: readonly PathStep[];
  scale: TimeScale;
  heightPx?: number;
  barPx?: number;
}) {
  const percent = (ms: number) => `${(100 * ms) / scale.endMs}%`;
  return (
    <svg className={classes.svg} height={heightPx} aria-hidden="true">
      <ScaleLines scale={scale} heightPx={heightPx} />
      {phases.map(({ kind, startMs, endMs }, index) => {
        const barPx = barPxOf(kind, thickPx);
        return (
          <rect
            key={index}
            x={percent(startMs)}
            y={(heightPx - barPx) / 2}
            width={percent(endMs - startMs)}
            height={barPx}
            className={kind === 'undivided' ? classes.hollow : undefined}
            style={{
              ...(kind !== 'undivided' && { fill: `var(--${kind})` }),
              width: `max(1.5px, ${percent(endMs - startMs)})`,
            }}
          />
        );
      })}
      {path.map(({ cause, startMs, endMs }) => (
        <rect
          key={startMs}
          x={percent(startMs)}
          y={heightPx - 4}
          height={4}
          style={{ fill: colourOf(cause), width: `max(1.5px, ${percent(endMs - startMs)})` }}
        />
      ))}
    </svg>
  );
}

/** What is no phase of the network is thinner than what is. */
export function barPxOf(kind: RequestPhase['kind'], thickPx: number): number {
  return kind === 'blocked' || kind === 'undivided' ? 6 : thickPx;
}

/** The ticks and the markers through one lane. */
export function ScaleLines({ scale: { endMs, ticksMs, markers }, heightPx }: { scale: TimeScale; heightPx: number }) {
  const at = (ms: number) => `${(100 * ms) / endMs}%`;
  return (
    <>
      {ticksMs.map((ms) => (
        <line key={ms} className={classes.grid} x1={at(ms)} x2={at(ms)} y1={0} y2={heightPx} />
      ))}
      {markers.map(({ metric, atMs, dash }) => (
        <line
          key={metric}
          className={classes.marker}
          x1={at(atMs)}
          x2={at(atMs)}
          y1={0}
          y2={heightPx}
          strokeDasharray={dash}
        />
      ))}
    </>
  );
}

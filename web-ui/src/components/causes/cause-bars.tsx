import type { ReactNode } from 'react';
import { causeIds, causes, type CauseId, type Parts } from '#core/causes/causes.ts';
import { formatMs } from '../../format/format-times.ts';
import { Defined } from '../terms/term.tsx';
import classes from './causes.module.css';

/** The colour of a cause, within an element of the class `causes`. */
export function colourOf(cause: CauseId): string {
  return `var(--${cause.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)})`;
}

/** A smaller part of the longest bar is not seen, and needs no name. */
const leastSeen = 0.004;

export interface CauseBar {
  key: string;
  name: ReactNode;
  parts: Parts;
}

/** One stacked bar for each, on one scale, with the names of the causes that are seen. `chosen`: the others are dimmed. */
export function CauseBars({ bars, chosen = null }: { bars: readonly CauseBar[]; chosen?: CauseId | null }) {
  const totals = bars.map(({ parts }) => parts.reduce((sum, ms) => sum + ms, 0));
  const longest = Math.max(...totals, Number.MIN_VALUE);
  const seen = causeIds.filter((_, place) => bars.some(({ parts }) => parts[place]! / longest > leastSeen));
  return (
    <div className={classes.causes}>
      <div className={classes.bars}>
        {bars.map(({ key, name, parts }, index) => (
          <CauseBarRow
            key={key}
            name={name}
            parts={parts}
            totalMs={totals[index]!}
            longestMs={longest}
            chosen={chosen}
          />
        ))}
      </div>
      <ul className={classes.legend} aria-label="Causes" style={{ marginTop: 8 }}>
        {seen.map((cause) => (
          <li key={cause}>
            <CauseName cause={cause} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function CauseBarRow({
  name,
  parts,
  totalMs,
  longestMs,
  chosen,
}: Omit<CauseBar, 'key'> & { totalMs: number; longestMs: number; chosen: CauseId | null }) {
  const described = causeIds.flatMap((cause, place) =>
    parts[place]! / longestMs > leastSeen ? [`${causes[cause].label} ${formatMs(parts[place]!)}`] : [],
  );
  return (
    <div className={classes.row}>
      <div>{name}</div>
      <div className={classes.bar} role="img" aria-label={described.join(', ')}>
        {causeIds.map((cause, place) => (
          <span
            key={cause}
            title={`${causes[cause].label}: ${formatMs(parts[place]!)}`}
            data-dimmed={chosen !== null && chosen !== cause}
            style={{ width: `${(100 * parts[place]!) / longestMs}%`, background: colourOf(cause) }}
          />
        ))}
      </div>
      <div className={classes.total}>{formatMs(totalMs)}</div>
    </div>
  );
}

/** With its colour, and its definition for who points at it. */
export function CauseName({ cause }: { cause: CauseId }) {
  const { label, definition } = causes[cause];
  return (
    <span className={classes.cause}>
      <span className={classes.swatch} style={{ background: colourOf(cause) }} aria-hidden="true" />
      <Defined definition={definition}>{label}</Defined>
    </span>
  );
}

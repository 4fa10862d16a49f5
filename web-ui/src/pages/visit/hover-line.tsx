import { type PointerEvent, type ReactNode, useRef } from 'react';
import { formatMs } from '../../format/format-ms.ts';
import classes from './hover-line.module.css';

/** What lanes and films over a time axis are marked with, so that the line knows where the axis is. */
export const timeAxisMark = { 'data-time-axis': true };

/** A line at the time under the pointer, through all that shares the axis inside. */
export function HoverLine({ endMs, children }: { endMs: number; children: ReactNode }) {
  const line = useRef<HTMLDivElement>(null);
  // Drawn without React: it follows each move of the pointer.
  const follow = ({ currentTarget, clientX }: PointerEvent<HTMLDivElement>) => {
    const axis = currentTarget.querySelector('[data-time-axis]')?.getBoundingClientRect();
    if (!axis || !line.current) return;
    const ratio = (clientX - axis.left) / axis.width;
    line.current.hidden = !(ratio >= 0 && ratio <= 1);
    line.current.style.left = `${clientX - currentTarget.getBoundingClientRect().left}px`;
    line.current.dataset.side = ratio > 0.85 ? 'left' : 'right';
    line.current.textContent = formatMs(ratio * endMs);
  };
  return (
    <div
      className={classes.around}
      onPointerMove={follow}
      onPointerLeave={() => {
        if (line.current) line.current.hidden = true;
      }}
    >
      {children}
      <div ref={line} className={classes.line} hidden aria-hidden="true" />
    </div>
  );
}

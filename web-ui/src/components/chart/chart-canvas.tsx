import { useComputedColorScheme } from '@mantine/core';
import { Chart } from 'chart.js';
import { useEffect, useRef } from 'react';
import { chartInks } from '../chart-inks.ts';
import type { Figure } from './figure.ts';
import { registerChartParts } from './register-chart-parts.ts';

let last: Promise<void> = Promise.resolve();

registerChartParts();

/** The chart of a figure. This and all of Chart.js is loaded when a page first shows one. */
export function ChartCanvas({ figure, heightPx }: { figure: Figure; heightPx: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  // Known from the start, or every chart would be drawn in light inks first.
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });

  useEffect(() => {
    let chart: Chart | null = null;
    const draw = () => (chart ??= new Chart(canvas.current!, figure.describe(chartInks[scheme])));
    const takeBack = inTurn(draw);
    // On paper the chart is as wide as the sheet, and so are its tables.
    const fit = () => draw().resize();
    window.addEventListener('beforeprint', fit);
    return () => {
      window.removeEventListener('beforeprint', fit);
      takeBack();
      chart?.destroy();
    };
  }, [figure, scheme]);

  return (
    <div style={{ position: 'relative', height: heightPx }}>
      <canvas ref={canvas} role="img" aria-label={`Chart of ${figure.title}. Its data table has the same figures.`} />
    </div>
  );
}

/** Does the work in a task of its own, after all that was given before, so that the page answers in between. Returns what takes it back while it was not done. */
function inTurn(work: () => void): () => void {
  let isWanted = true;
  const taskOf = (done: () => void) =>
    setTimeout(() => {
      done();
      if (isWanted) work();
    });
  last = last.then(() => new Promise(taskOf));
  return () => {
    isWanted = false;
  };
}

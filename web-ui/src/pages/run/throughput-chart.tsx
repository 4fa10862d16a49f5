import { useComputedColorScheme } from '@mantine/core';
import { Chart, Legend, LinearScale, LineController, LineElement, PointElement, Tooltip } from 'chart.js';
import { useEffect, useRef } from 'react';
import type { ByteSeries } from '#core/packets/measures/byte-series.ts';
import { theme } from '../../components/theme.ts';
import { chartInks } from '../../components/chart-inks.ts';
import { formatNumber } from '../../format/format-numbers.ts';
import { placeThroughput } from './throughput-points.ts';

Chart.defaults.font.family = theme.fontFamily!;
Chart.defaults.locale = 'en-US';
Chart.register(LineController, LineElement, PointElement, LinearScale, Legend, Tooltip);

export interface ThroughputChartProps {
  received: ByteSeries;
  sent: ByteSeries;
  originEpochMs: number;
  heightPx: number;
}

/** What went to and from one User Agent over the time of its Pass. The table below it has the same data by the second. */
export function ThroughputChart({ received, sent, originEpochMs, heightPx }: ThroughputChartProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });

  useEffect(() => {
    const ink = chartInks[scheme];
    const line = (label: string, series: ByteSeries, colour: string) => ({
      label,
      data: placeThroughput(series, originEpochMs),
      borderColor: colour,
      backgroundColor: colour,
      stepped: true as const,
      borderWidth: 1.5,
      pointRadius: 0,
    });
    const chart = new Chart(canvas.current!, {
      type: 'line',
      data: { datasets: [line('received', received, '#0072b2'), line('sent', sent, '#d55e00')] },
      options: {
        animation: false,
        maintainAspectRatio: false,
        parsing: false,
        interaction: { mode: 'nearest', axis: 'x', intersect: false },
        scales: {
          x: {
            type: 'linear',
            title: { display: true, text: 'seconds since the first packet', color: ink.text },
            border: { color: ink.line },
            grid: { display: false },
            ticks: { color: ink.text },
          },
          y: {
            beginAtZero: true,
            title: { display: true, text: 'kb/s', color: ink.text },
            border: { display: false },
            grid: { color: ink.line },
            ticks: { color: ink.text, callback: (value) => formatNumber(Number(value)) },
          },
        },
        plugins: {
          tooltip: {
            callbacks: {
              title: ([item]) => `${formatNumber(item!.parsed.x ?? 0, 1)} s`,
              label: ({ dataset, parsed }) => `${dataset.label}: ${formatNumber(parsed.y ?? 0)} kb/s`,
            },
          },
          legend: { align: 'end', labels: { color: ink.text, boxWidth: 12, boxHeight: 2 } },
        },
      },
    });
    return () => chart.destroy();
  }, [received, sent, originEpochMs, scheme]);

  return (
    <div style={{ position: 'relative', height: heightPx }}>
      <canvas
        ref={canvas}
        role="img"
        aria-label="Chart of the throughput, received and sent. The table below has the same data by the second."
      />
    </div>
  );
}

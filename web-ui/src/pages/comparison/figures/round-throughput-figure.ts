import type { ChartConfiguration, Plugin } from 'chart.js';
import type { ByteSeries } from '#core/packets/measures/byte-series.ts';
import type { CaptureOutcome } from '#core/protocol/capture-outcome.ts';
import type { Figure } from '../../../components/chart/figure.ts';
import { formatNumber } from '../../../format/format-number.ts';
import { fade } from './fade.ts';
import { valueAxis } from './value-axis.ts';

type Way = 'received' | 'sent';

interface CapturedUser {
  userAgent: string;
  capture: Extract<CaptureOutcome, { kind: 'captured' }>;
}

interface ThroughputOptions {
  way: Way;
  title: string;
  colours: Map<string, string>;
  /** Of the emulated link this way; null where it is not one number. */
  capacityKbps: number | null;
}

/** The time that all figures of a Round share, on the Controller's clock. */
export interface RoundTime {
  startEpochMs: number;
  endEpochMs: number;
}

/** So that a bin ends before the next begins: areas cannot be stacked on two values at one time. */
const gapRatio = 0.001;

/** Whether both ways of a Round are known: its Captures know the addresses of the users. */
export function hasWays(users: CapturedUser[]): boolean {
  return users.every(({ capture }) => capture.statistics.throughput.received && capture.statistics.throughput.sent);
}

/**
 * What each User Agent of a Round received or sent in each stretch of time, on the Controller's clock, stacked to the whole. Both
 * figures have the same times. Without ways, received is all that was captured.
 */
export function roundThroughputFigure(
  users: CapturedUser[],
  { way, title, colours, capacityKbps }: ThroughputOptions,
): Figure & { time: RoundTime } {
  const alignAll = (one: Way) =>
    users.map(({ userAgent, capture: { statistics, clockOffsetMs } }) => ({
      userAgent,
      ...alignSeries(statistics.throughput[one] ?? statistics.throughput.all, clockOffsetMs),
    }));
  const series = { received: alignAll('received'), sent: alignAll('sent') };
  const binMs = Math.max(100, ...Object.values(series).flatMap((each) => each.map((one) => one.binMs)));
  const sumsOf = (one: Way) => series[one].map(({ userAgent, places }) => ({ userAgent, bytes: sumBy(places, binMs) }));
  const sums = sumsOf(way);
  const bins = [...sumsOf('received'), ...sumsOf('sent')].flatMap(({ bytes }) => [...bytes.keys()]);
  const first = bins.reduce((least, bin) => Math.min(least, bin), Infinity);
  const last = bins.reduce((most, bin) => Math.max(most, bin), -Infinity);
  const length = bins.length === 0 ? 0 : Math.min(last - first + 1, 20_000);
  const kbpsOf = (bytes: Map<number, number>, index: number) => ((bytes.get(first + index) ?? 0) * 8) / binMs;
  const seconds = Array.from({ length }, (_, index) => (index * binMs) / 1000);
  const endS = (length * binMs) / 1000;
  const name = `${way === 'received' ? 'Received' : 'Sent'} in bins of ${formatNumber(binMs)} ms: ${title}`;
  return {
    title: name,
    fileName: name,
    time: { startEpochMs: first * binMs, endEpochMs: (first + length) * binMs },
    table: {
      columns: [{ label: 'time', unit: 's' }, ...sums.map(({ userAgent }) => ({ label: userAgent, unit: 'kb/s' }))],
      rows: seconds.map((second, index) => [second, ...sums.map(({ bytes }) => kbpsOf(bytes, index))]),
    },
    describe: (inks): ChartConfiguration => ({
      type: 'line',
      plugins: capacityKbps === null ? [] : [labelCapacity(capacityKbps, inks.text)],
      data: {
        datasets: [
          ...sums.map(({ userAgent, bytes }) => ({
            label: userAgent,
            data: seconds.flatMap((second, index) => {
              const y = kbpsOf(bytes, index);
              return [
                { x: second, y },
                { x: second + ((1 - gapRatio) * binMs) / 1000, y },
              ];
            }),
            borderColor: inks.shade(colours.get(userAgent)!),
            backgroundColor: fade(inks.shade(colours.get(userAgent)!), 0.8),
            fill: 'stack',
            borderWidth: 0.5,
            pointRadius: 0,
          })),
          ...(capacityKbps === null ? [] : [drawCapacity(capacityKbps, endS, inks.text)]),
        ],
      },
      options: {
        animation: false,
        maintainAspectRatio: false,
        parsing: false,
        interaction: { mode: 'index', axis: 'x', intersect: false },
        scales: {
          x: {
            ...valueAxis({ title: 'seconds since the first packet of the Round', inks }),
            grid: { display: false },
            max: endS,
          },
          y: {
            ...valueAxis({ title: `kb/s ${way}${users.length > 1 ? ', stacked' : ''}`, inks }),
            ...besideTime,
            stacked: true,
            // The name of the line stands above it.
            ...(capacityKbps !== null && { grace: '12%' }),
          },
        },
      },
    }),
  };
}

/** The vertical axes of all figures of a Round are as wide, so that their times are above each other. */
export const besideTime = {
  afterFit: (axis: { width: number }) => {
    axis.width = 168;
  },
};

/** A line over the areas, stacked on none of them. */
function drawCapacity(kbps: number, endS: number, colour: string) {
  return {
    label: 'capacity of the link',
    data: [0, endS].map((x) => ({ x, y: kbps })),
    stack: 'capacity',
    borderColor: colour,
    backgroundColor: colour,
    borderWidth: 1.5,
    borderDash: [6, 4],
    pointRadius: 0,
  };
}

function labelCapacity(kbps: number, colour: string): Plugin {
  return {
    id: 'capacity',
    afterDatasetsDraw: ({ ctx, chartArea, scales }) => {
      const axis = scales.y;
      if (!axis) return;
      ctx.save();
      ctx.font = '11px system-ui, sans-serif';
      ctx.textAlign = 'right';
      ctx.textBaseline = 'bottom';
      ctx.fillStyle = colour;
      ctx.fillText(`link: ${formatNumber(kbps)} kb/s`, chartArea.right - 4, axis.getPixelForValue(kbps) - 2);
      ctx.restore();
    },
  };
}

/** The middle of each bin on the Controller's clock. */
function alignSeries({ binMs, bins, bytes }: ByteSeries, clockOffsetMs: number) {
  return {
    binMs,
    places: bins.map((bin, index) => ({ epochMs: (bin + 0.5) * binMs + clockOffsetMs, bytes: bytes[index]! })),
  };
}

function sumBy(places: { epochMs: number; bytes: number }[], binMs: number): Map<number, number> {
  const sums = new Map<number, number>();
  for (const { epochMs, bytes } of places) {
    const bin = Math.floor(epochMs / binMs);
    sums.set(bin, (sums.get(bin) ?? 0) + bytes);
  }
  return sums;
}

import type { ChartConfiguration } from 'chart.js';
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
}

/** Whether both ways of a Round are known: its Captures know the addresses of the users. */
export function hasWays(users: CapturedUser[]): boolean {
  return users.every(({ capture }) => capture.statistics.throughput.received && capture.statistics.throughput.sent);
}

/**
 * What each User Agent of a Round received or sent in each stretch of time, on the Controller's clock, stacked to the whole. Both
 * figures have the same times. Without ways, received is all that was captured.
 */
export function roundThroughputFigure(users: CapturedUser[], { way, title, colours }: ThroughputOptions): Figure {
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
  const name = `${way === 'received' ? 'Received' : 'Sent'} in bins of ${formatNumber(binMs)} ms: ${title}`;
  return {
    title: name,
    fileName: name,
    table: {
      columns: [{ label: 'time', unit: 's' }, ...sums.map(({ userAgent }) => ({ label: userAgent, unit: 'kb/s' }))],
      rows: seconds.map((second, index) => [second, ...sums.map(({ bytes }) => kbpsOf(bytes, index))]),
    },
    describe: (inks): ChartConfiguration => ({
      type: 'line',
      data: {
        datasets: sums.map(({ userAgent, bytes }) => ({
          label: userAgent,
          data: seconds.map((second, index) => ({ x: second, y: kbpsOf(bytes, index) })),
          borderColor: colours.get(userAgent) ?? inks.text,
          backgroundColor: fade(colours.get(userAgent) ?? '#808080', 0.8),
          fill: 'stack',
          borderWidth: 0.5,
          pointRadius: 0,
        })),
      },
      options: {
        animation: false,
        maintainAspectRatio: false,
        parsing: false,
        interaction: { mode: 'index', axis: 'x', intersect: false },
        scales: {
          x: { ...valueAxis({ title: 'seconds since the first packet of the Round', inks }), grid: { display: false } },
          y: { ...valueAxis({ title: `kb/s ${way}`, inks }), stacked: true },
        },
      },
    }),
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

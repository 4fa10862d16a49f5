import type { Plugin } from 'chart.js';
import type { CaptureStatistics } from '#core/packets/capture-statistics.ts';
import type { ByteSeries } from '#core/packets/measures/byte-series.ts';
import type { Figure } from '../../../components/chart/figure.ts';
import { formatBytes, formatNumber } from '../../../format/format-numbers.ts';
import { describePlot } from '../../../figures/describe-plot.ts';
import type { PlotLayer } from '../../../figures/plot.ts';

type Way = 'received' | 'sent';

interface CapturedUser {
  userAgent: string;
  capture: { statistics: CaptureStatistics; clockOffsetMs: number };
}

interface ThroughputOptions {
  way: Way;
  title: string;
  colours: Map<string, string>;
  /** Of the emulated link this way; null where it is not one number. */
  capacityKbps: number | null;
  /** What the first packet is of, of which seconds are counted. */
  of?: TimedBy;
}

type TimedBy = 'Round' | 'load';

/** The time that all figures of a Round share, on the Controller's clock. */
interface RoundTime {
  startEpochMs: number;
  endEpochMs: number;
}

/** The vertical axes of all figures of a Round are as wide, so that their times are above each other. */
const besideTimePx = 168;

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
  { way, title, colours, capacityKbps, of = 'Round' }: ThroughputOptions,
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
    ...ofOne(of),
    time: { startEpochMs: first * binMs, endEpochMs: (first + length) * binMs },
    table: {
      columns: [{ label: 'time', unit: 's' }, ...sums.map(({ userAgent }) => ({ label: userAgent, unit: 'kb/s' }))],
      rows: seconds.map((second, index) => [second, ...sums.map(({ bytes }) => kbpsOf(bytes, index))]),
    },
    describe: describePlot(() => ({
      x: {
        kind: 'numbers',
        title: nameTime(of),
        hasGrid: false,
        limits: { max: endS },
      },
      y: {
        kind: 'numbers',
        title: `kb/s ${way}${users.length > 1 ? ', stacked' : ''}`,
        widthPx: besideTimePx,
        isStacked: true,
        // The name of the line stands above it.
        limits: capacityKbps === null ? {} : { grace: '12%' },
      },
      layers: [
        ...sums.map(({ userAgent, bytes }): PlotLayer => ({
          kind: 'area',
          label: userAgent,
          colour: colours.get(userAgent)!,
          marks: seconds.flatMap((second, index) => {
            const y = kbpsOf(bytes, index);
            return [
              { x: second, y },
              { x: second + ((1 - gapRatio) * binMs) / 1000, y },
            ];
          }),
        })),
        ...(capacityKbps === null ? [] : [plotCapacity(capacityKbps, endS)]),
      ],
      overlays: ({ text }) => (capacityKbps === null ? [] : [labelCapacity(capacityKbps, text)]),
      reads: 'time',
    })),
  };
}

/** Neither has intervals. */
function ofOne(of: TimedBy): Pick<Figure, 'hasIntervals' | 'restsOn'> {
  return { hasIntervals: false, restsOn: `One ${of}` };
}

function nameTime(of: TimedBy): string {
  return `seconds since the first packet of the ${of}`;
}

/** A line over the areas, stacked on none of them. */
function plotCapacity(kbps: number, endS: number): PlotLayer {
  return {
    kind: 'line',
    label: 'capacity of the link',
    colour: null,
    widthPx: 1.5,
    dash: [6, 4],
    stack: 'capacity',
    marks: [0, endS].map((x) => ({ x, y: kbps })),
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

const mostConnections = 60;

interface Stretch {
  fromMs: number;
  toMs: number;
  bytes: number;
}

interface ConnectionOptions {
  title: string;
  colour: string;
  time: RoundTime;
  /** From the clock of the Capture to that of the Controller. */
  clockOffsetMs: number;
  of?: TimedBy;
}

/** When each connection of a Pass, of TCP and then of QUIC, carried bytes, over the time of its Round: a row per connection, the first 60, a bar for each stretch in which every bin had some. */
export function connectionFigure(
  { connections: ofTcp, udpFlows }: CaptureStatistics,
  { title, colour, time, clockOffsetMs, of = 'Round' }: ConnectionOptions,
): Figure & { rows: number } {
  const ofQuic = udpFlows.flatMap(({ quic, ...flow }) => (quic ? [{ ...flow, throughput: quic.throughput }] : []));
  const connections = [...ofTcp, ...ofQuic];
  const shown = connections.slice(0, mostConnections);
  const startMs = time.startEpochMs - clockOffsetMs;
  const rows = shown.map(({ server, client, throughput: own }, index) => ({
    name: `${index + 1}: ${server.address}:${server.port} from ${client.port}`,
    stretches: findStretches(own, startMs),
  }));
  const all =
    connections.length > mostConnections ? `the first ${mostConnections} of ${connections.length}` : 'activity';
  const name = `Connections of ${title}: ${all}`;
  return {
    title: name,
    fileName: name,
    ...ofOne(of),
    rows: rows.length,
    table: {
      columns: [
        { label: 'Connection' },
        { label: 'from', unit: 's' },
        { label: 'to', unit: 's' },
        { label: 'bytes', decimals: 0 },
      ],
      rows: rows.flatMap(({ name: connection, stretches }) =>
        stretches.map(({ fromMs, toMs, bytes }) => [connection, fromMs / 1000, toMs / 1000, bytes]),
      ),
    },
    describe: describePlot(() => ({
      x: {
        kind: 'numbers',
        title: nameTime(of),
        limits: { max: (time.endEpochMs - time.startEpochMs) / 1000 },
      },
      y: { kind: 'categories', names: rows.map((row) => row.name), fontPx: 10, widthPx: besideTimePx },
      layers: Array.from({ length: Math.max(0, ...rows.map(({ stretches }) => stretches.length)) }, (_, place) => ({
        kind: 'stretches',
        label: '',
        colour,
        stretches: rows.map(({ name: connection, stretches }) => {
          const stretch = stretches[place];
          if (!stretch) return null;
          const { fromMs, toMs, bytes } = stretch;
          return { from: fromMs / 1000, to: toMs / 1000, title: connection, text: formatBytes(bytes) };
        }),
      })),
    })),
  };
}

/** Bins that follow each other, as one. */
function findStretches({ binMs, bins, bytes }: ByteSeries, startMs: number): Stretch[] {
  const stretches: Stretch[] = [];
  for (const [index, bin] of bins.entries()) {
    const fromMs = bin * binMs - startMs;
    const last = stretches.at(-1);
    if (last && last.toMs === fromMs) {
      last.toMs += binMs;
      last.bytes += bytes[index]!;
    } else stretches.push({ fromMs, toMs: fromMs + binMs, bytes: bytes[index]! });
  }
  return stretches;
}

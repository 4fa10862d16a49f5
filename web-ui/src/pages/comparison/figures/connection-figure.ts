import type { ChartConfiguration } from 'chart.js';
import type { CaptureStatistics } from '#core/packets/capture-statistics.ts';
import type { ByteSeries } from '#core/packets/measures/byte-series.ts';
import type { Figure } from '../../../components/chart/figure.ts';
import { formatBytes } from '../../../format/format-numbers.ts';
import { besideTime, type RoundTime } from './round-throughput-figure.ts';
import { valueAxis } from './value-axis.ts';

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
}

/** When each connection of a Pass, of TCP and then of QUIC, carried bytes, over the time of its Round: a row per connection, the first 60, a bar for each stretch in which every bin had some. */
export function connectionFigure(
  { connections: ofTcp, udpFlows }: CaptureStatistics,
  { title, colour, time, clockOffsetMs }: ConnectionOptions,
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
    describe: (inks): ChartConfiguration => ({
      type: 'bar',
      data: {
        labels: rows.map((row) => row.name),
        datasets: Array.from({ length: Math.max(0, ...rows.map(({ stretches }) => stretches.length)) }, (_, place) => ({
          label: '',
          data: rows.map(({ stretches }): [number, number] | null => {
            const stretch = stretches[place];
            return stretch ? [stretch.fromMs / 1000, stretch.toMs / 1000] : null;
          }),
          backgroundColor: inks.shade(colour),
          grouped: false,
          maxBarThickness: 10,
        })),
      },
      options: {
        animation: false,
        maintainAspectRatio: false,
        indexAxis: 'y',
        scales: {
          x: {
            ...valueAxis({ title: 'seconds since the first packet of the Round', inks }),
            max: (time.endEpochMs - time.startEpochMs) / 1000,
          },
          y: {
            ...besideTime,
            grid: { display: false },
            border: { color: inks.line },
            ticks: { color: inks.text, font: { size: 10 } },
          },
        },
        plugins: {
          legend: { display: false },
          tooltip: {
            callbacks: {
              label: ({ dataIndex, datasetIndex }) => formatBytes(rows[dataIndex]?.stretches[datasetIndex]?.bytes ?? 0),
            },
          },
        },
      },
    }),
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

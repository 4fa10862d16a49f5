import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AppError } from '#core/app-error.ts';
import {
  connectionHelp,
  groundUserHelp,
  remoteUserHelp,
  tunnelHelp,
  type CounterSource,
  type CounterRow,
} from './counter-help.ts';

export interface MetricsServer extends AsyncDisposable {
  port: number;
}

/** Serves the counters at `/metrics`, to anybody who reaches the port. Throws `port-taken`. */
export async function serveMetrics(
  source: CounterSource,
  { host, port }: { host: string; port: number },
): Promise<MetricsServer> {
  const server = createServer({ requestTimeout: 5000 }, ({ method, url }, response) => {
    if (url !== '/metrics') response.writeHead(404, { 'Content-Type': 'text/plain' }).end('HTTPEP: see /metrics\n');
    else if (method !== 'GET') response.writeHead(405, { Allow: 'GET' }).end();
    else
      void source
        .refresh()
        .then(() =>
          response
            .writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' })
            .end(formatPrometheus(source)),
        );
  });
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    throw new AppError('port-taken', `Cannot listen on ${host}:${port} for --metrics (${(error as Error).message})`, {
      cause: error,
    });
  }
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format */
export function formatPrometheus(source: CounterSource): string {
  const rows = source.readRows();
  const { end } = source;
  const users = end === 'remote' ? remoteUserHelp : groundUserHelp;
  return [
    ...Object.entries(users).map(([name, help]) => formatFamily({ end, kind: 'user', name, help, rows })),
    ...Object.entries(connectionHelp).map(([name, help]) =>
      formatFamily({ end, kind: 'connection', name, help, rows }),
    ),
    ...Object.entries(end === 'ground' ? tunnelHelp : {}).map(([name, help]) =>
      formatFamily({ end, kind: 'tunnel', name, help, rows }),
    ),
  ].join('');
}

interface Family {
  end: CounterSource['end'];
  kind: CounterRow['kind'];
  name: string;
  help: string;
  rows: readonly CounterRow[];
}

function formatFamily({ end, kind, name, help, rows }: Family): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const isGauge = kind === 'tunnel';
  const family = `httpep_${end}_${kind}_${words}${isGauge ? '' : '_total'}`;
  const samples = rows
    .filter((row) => row.kind === kind && row.sums[name] !== undefined)
    .map(({ labels, sums }) => `${family}{${formatLabels(labels)}} ${Math.round(sums[name]! * 1000) / 1000}\n`);
  return [`# HELP ${family} ${help}\n`, `# TYPE ${family} ${isGauge ? 'gauge' : 'counter'}\n`, ...samples].join('');
}

function formatLabels(labels: CounterRow['labels']): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escapeLabel(value)}"`)
    .join(',');
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

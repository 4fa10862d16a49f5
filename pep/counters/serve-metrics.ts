import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AppError } from '#core/app-error.ts';
import type { CounterSource } from './counter-row.ts';
import { formatPrometheus } from './format-prometheus.ts';

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

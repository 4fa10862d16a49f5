import { Agent, request } from 'node:http';
import { startHttpep } from './support/start-httpep.ts';
import { startOriginProcess } from '#cli/origin/start-origin-process.ts';

/**
 * What HTTPEP carries, and what CPU time it takes, without recompression: `node bench/httpep.ts [SECONDS]`. Each end has a core of its own in use; here both share the
 * machine with the origin and the clients. So the figures are for each second of CPU time of the end that takes more.
 */
const seconds = Number(process.argv[2] ?? 10);
const clientCount = 32;
const loads = [
  { load: 'objects of 1 MB', sizeBytes: 1_000_000 },
  { load: 'objects of 1 kB', sizeBytes: 1_000 },
];

await using origin = await startOriginProcess();
await using httpep = await startHttpep(['--text', 'none', '--no-bundling']);

/** Asks for one object after the other, by clients at the same time. Rejects where an answer is not whole. */
async function load(sizeBytes: number, proxyPort: number | null): Promise<{ requests: number; seconds: number }> {
  const agent = new Agent({ keepAlive: true, maxSockets: clientCount });
  const url = new URL(`${origin.httpUrl}/image/1.jpg?sizeBytes=${sizeBytes}`);
  const startMs = performance.now();
  const endMs = startMs + 1000 * seconds;
  let requests = 0;
  const askOn = async () => {
    while (performance.now() < endMs) {
      const receivedBytes = await fetchObject(url, { agent, proxyPort });
      if (receivedBytes !== sizeBytes) throw new Error(`An answer of ${receivedBytes} bytes, not ${sizeBytes}`);
      requests += 1;
    }
  };
  await Promise.all(Array.from({ length: clientCount }, askOn));
  agent.destroy();
  return { requests, seconds: (performance.now() - startMs) / 1000 };
}

function fetchObject(url: URL, { agent, proxyPort }: { agent: Agent; proxyPort: number | null }): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const address = proxyPort === null ? url : { host: '127.0.0.1', port: proxyPort, path: url.href };
  request({ ...(address instanceof URL ? addressOf(url) : address), agent, headers: { host: url.host } }, (answer) => {
    let bytes = 0;
    answer.on('data', (chunk: Buffer) => (bytes += chunk.length));
    answer.once('end', () => {
      resolve(bytes);
    });
    answer.once('error', reject);
  })
    .once('error', reject)
    .end();
  return promise;
}

function addressOf({ hostname, port, pathname, search }: URL) {
  return { host: hostname, port: Number(port), path: pathname + search };
}

const rows = [];
for (const { load: name, sizeBytes } of loads) {
  const direct = await load(sizeBytes, null);
  const before = httpep.readCpuMs();
  const through = await load(sizeBytes, httpep.port);
  const after = httpep.readCpuMs();
  const cpuSeconds = Math.max(after.ground - before.ground, after.remote - before.remote) / 1000;
  const rateOf = ({ requests, seconds: taken }: typeof direct) => requests / taken;
  rows.push({
    load: name,
    'requests/s direct': rateOf(direct).toFixed(0),
    'requests/s through HTTPEP': rateOf(through).toFixed(0),
    ratio: (rateOf(through) / rateOf(direct)).toFixed(2),
    'requests per CPU second': (through.requests / cpuSeconds).toFixed(0),
    'Mb per CPU second': ((8 * through.requests * sizeBytes) / cpuSeconds / 1e6).toFixed(0),
  });
}
console.log(`HTTPEP on one machine: ${clientCount} clients, ${seconds} s each`);
console.table(rows);

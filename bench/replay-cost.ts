import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:http2';
import path from 'node:path';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { writeSite } from '#site/write-site.ts';
import { openReplayContent } from '#testbed/hosts/servers/replay-content.ts';
import { createAuthority } from '#testbed/origin/certificates/certificate-authority.ts';
import { issueCertificate } from '#testbed/origin/certificates/issue-certificate.ts';
import { openListener, type Arrival } from '#testbed/origin/open-listener.ts';
import { TruthRecorder } from '#testbed/origin/truth-log.ts';
import { makeRecordedBody, makeRecordedExchange, makeRecordedSite } from '#tests/support/make-recorded-site.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

/**
 * What a replayed request costs the server: `node bench/replay-cost.ts [REQUESTS] [OBJECTS] [BYTES]`, 5,000, 20,000 and 10,000 unless given. A thread asks over HTTP/2 for objects of a recording, ten at a time: as they
 * were recorded, with another parameter, and, for the ratio, of a server that has the same bytes in memory. It reports processor time without that of the thread.
 */
const [requests = 5000, objects = 20_000, bytes = 10_000] = process.argv.slice(2).map(Number);
const host = 'shop.test';
const atOnce = 10;

interface Asking {
  port: number;
  query: string;
}

if (isMainThread) await measureAll();
else await ask(workerData as Asking);

async function measureAll(): Promise<void> {
  await using folder = await makeTemporaryFolder();
  const file = path.join(folder.path, 'shop.wacz');
  const body = (index: number) => Buffer.alloc(bytes, createHash('sha256').update(String(index)).digest());
  const [first] = makeRecordedSite().pages;
  const nowEpochMs = Date.now();
  await writeSite(
    file,
    makeRecordedSite({
      pages: [{ ...first!, url: urlOf(0) }],
      exchanges: Array.from({ length: objects }, (_, index) =>
        makeRecordedExchange({ url: urlOf(index), thinkMs: 0, headers: [], body: makeRecordedBody(body(index)) }),
      ),
    }),
    { nowEpochMs },
  );
  const recorder = new TruthRecorder();
  await using content = await openReplayContent({ sites: [{ file, pages: [1] }], thinkTimeFactor: 0, recorder });
  const certificate = await issueCertificate(await createAuthority(nowEpochMs), { hosts: [host], nowEpochMs });
  const measure = async (serve: (arrival: Arrival) => void, query = '') => {
    const settings = { name: 'http2', host: '127.0.0.1', port: 0, certificate, recorder } as const;
    const listener = await openListener({ ...settings, serve, readEpochMs: Date.now, upgrade: () => undefined });
    const msOf = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1000;
    const before = msOf(process.cpuUsage());
    const worker = new Worker(import.meta.filename, {
      workerData: { port: listener.port, query } satisfies Asking,
      argv: process.argv.slice(2),
    });
    const [ownMs] = (await once(worker, 'message')) as [number];
    const spentMs = msOf(process.cpuUsage()) - before - ownMs;
    await worker.terminate();
    await listener.close();
    return spentMs / requests;
  };
  const ready = body(0);
  const bare = await measure(({ response }) => void response.end(ready));
  for (const [name, query] of [
    ['exact', ''],
    ['inexact', '&session=7'],
  ] as const) {
    const each = await measure((arrival) => content.serve(arrival, host), query);
    console.log(
      `${name}: ${each.toFixed(2)} ms of processor a request, ${(1000 / each).toFixed(0)} requests/s a core, ${(each / bare).toFixed(1)} times those of a server with the bytes in memory`,
    );
  }
}

/** Each object has a path of its own. */
function urlOf(index: number): string {
  return `https://${host}/object/${index}?size=1`;
}

async function ask({ port, query }: Asking): Promise<void> {
  const session = connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false });
  await once(session, 'connect');
  let next = 0;
  const askOn = async () => {
    while (next < requests) {
      const { pathname, search } = new URL(urlOf(next++ % objects));
      const stream = session.request({ ':path': `${pathname}${search}${query}` });
      stream.resume();
      await once(stream, 'close');
    }
  };
  await Promise.all(Array.from({ length: atOnce }, askOn));
  session.destroy();
  const { user, system } = process.threadCpuUsage();
  parentPort!.postMessage((user + system) / 1000);
}

import { gzipSync, zstdCompressSync } from 'node:zlib';
import type { Pool } from 'pg';
import { openChromeEngine } from '#agent/engines/open-engines.ts';
import { compressSnapshot, snapshotCompression } from '#agent/spool/visit-spool.ts';
import { readSnapshot } from '#controller/visits/compressed-snapshot.ts';
import { toColumns } from '#core/columns/columns.ts';
import { BrowserSettingsSchema } from '#core/evaluation/browser/browser-settings.ts';
import { PageLoadSchema } from '#core/evaluation/pages/page-load.ts';
import type { Snapshot } from '#core/metrics/snapshot.ts';
import { findChrome } from '#tests/browser/support/find-chrome.ts';
import { openBenchPool, startBenchPostgres } from './support/bench-parts.ts';
import { startOriginProcess } from '#cli/origin/start-origin-process.ts';

/**
 * What the Snapshots of Chrome take: `npm run build:probe && node bench/snapshot-bytes.ts [VISITS]`, of pages with 10, 100 and 640 images. Mean bytes as jsonb in PostgreSQL (which
 * compresses it), as JSON by zstd, as columns by zstd with and without its dictionary, and by gzip as the extension sends them; CPU time to make and to read them.
 */
const visits = Number(process.argv[2] ?? 15);
const paths = ['/images/10', '/images/100', '/icons/640'];
const measuredMs = 2_000;

await using postgres = await startBenchPostgres();
await using pool = await openBenchPool(postgres);
await pool.query('create table plain (body jsonb not null)');
const engine = await openChromeEngine({ executablePath: findChrome() });
await using origin = await startOriginProcess();
await using session = await engine.open({
  pageLoad: PageLoadSchema.parse({ quietMs: 200 }),
  browser: BrowserSettingsSchema.parse({}),
});

for (const path of paths) {
  const snapshots: Snapshot[] = [];
  while (snapshots.length < visits) snapshots.push(await load(origin.httpUrl + path));
  const texts = snapshots.map((snapshot) => JSON.stringify(snapshot));
  const plain = texts.map((text) => zstdCompressSync(text, snapshotCompression));
  const stored = snapshots.map(compressSnapshot);
  const columns = meanLength(stored);
  const jsonb = await readJsonbBytes(pool, texts);
  const perSnapshot = (work: () => unknown) => Number((measureMs(work) / visits).toFixed(2));
  console.log(path, {
    JSON: meanLength(texts),
    'jsonb in PostgreSQL': jsonb,
    'JSON by zstd': meanLength(plain),
    'columns by zstd': meanLength(
      snapshots.map((snapshot) => zstdCompressSync(JSON.stringify(toColumns(snapshot)), snapshotCompression)),
    ),
    'columns by zstd with the dictionary': columns,
    'columns by gzip': meanLength(snapshots.map((snapshot) => gzipSync(JSON.stringify(toColumns(snapshot))))),
    'with the dictionary / jsonb': Number((columns / jsonb).toFixed(2)),
    'ms to make columns': perSnapshot(() => snapshots.map(compressSnapshot)),
    'ms to make JSON by zstd': perSnapshot(() =>
      snapshots.map((each) => zstdCompressSync(JSON.stringify(each), snapshotCompression)),
    ),
    'ms to read JSON by zstd': perSnapshot(() => plain.map(readSnapshot)),
    'ms to read columns': perSnapshot(() => stored.map(readSnapshot)),
  });
}

async function load(url: string): Promise<Snapshot> {
  await session.prepare();
  const outcome = await session.visit({ url, signal: new AbortController().signal });
  if (outcome.status === 'failed') throw new Error(`A Visit failed: ${outcome.detail}`);
  return outcome.snapshot;
}

function meanLength(all: readonly { length: number }[]): number {
  return Math.round(all.reduce((sum, { length }) => sum + length, 0) / all.length);
}

async function readJsonbBytes(database: Pool, texts: readonly string[]): Promise<number> {
  await database.query('truncate plain');
  for (const text of texts) await database.query('insert into plain values ($1)', [text]);
  const { rows } = await database.query<{ bytes: number }>(
    'select avg(pg_column_size(body))::float8 as bytes from plain',
  );
  return Math.round(rows[0]!.bytes);
}

/** Of CPU time, once the compilers of Node are done. */
function measureMs(work: () => unknown): number {
  repeat(work);
  const before = process.cpuUsage();
  const times = repeat(work);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / times;
}

/** Returns how often it was done. */
function repeat(work: () => unknown): number {
  const endMs = performance.now() + measuredMs;
  let times = 0;
  for (; performance.now() < endMs; times++) work();
  return times;
}

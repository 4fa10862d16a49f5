import { gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { compressSnapshot as compressAtAgent } from '#agent/spool/visit-spool.ts';
import { buildHar } from '#controller/visits/build-har.ts';
import { compressSnapshot, SnapshotTooLargeError } from '#controller/visits/compressed-snapshot.ts';
import { SnapshotReader } from '#controller/visits/snapshot-reader.ts';
import { formatAsJsonb, readStoredSnapshot } from '#controller/visits/written-snapshot.ts';
import { makePageSnapshot } from '#tests/support/page-snapshot.ts';

const [small, large] = [10, 2000].map((images) =>
  makePageSnapshot({ url: 'http://origin.test/', totalMs: 900 }, images),
) as [ReturnType<typeof makePageSnapshot>, ReturnType<typeof makePageSnapshot>];
const har = {
  kind: 'har',
  visit: { id: 'a', description: 'of a test', clockOffsetMs: 0.25 },
  creatorVersion: '1',
} as const;

test.for([
  { name: 'small', snapshot: small },
  { name: 'large', snapshot: large },
])('a $name Snapshot is written as each form, from each way that it is stored', async ({ snapshot }) => {
  await using reader = new SnapshotReader();
  const json = JSON.stringify(snapshot);
  // Against the dictionary, as before there was one, by the extension, and as before Snapshots were compressed.
  for (const stored of [compressAtAgent(snapshot), compressSnapshot(snapshot), gzipSync(json), json]) {
    expect(JSON.parse(await reader.write(stored, { kind: 'json' }))).toEqual(snapshot);
    expect(await reader.write(stored, { kind: 'jsonb' })).toBe(formatAsJsonb(snapshot));
    expect(JSON.parse(await reader.write(stored, har))).toEqual(JSON.parse(JSON.stringify(buildHar(snapshot, har))));
  }
});

test('a Snapshot of few requests has half of its bytes by the dictionary', () => {
  expect(compressAtAgent(small).length).toBeLessThan(0.6 * compressSnapshot(small).length);
});

test('other work is done while a large Snapshot is read', async () => {
  await using reader = new SnapshotReader();
  const order: string[] = [];
  const read = reader.write(compressSnapshot(large), { kind: 'json' }).then(() => order.push('read'));
  const other = new Promise<void>((resolve) => {
    setImmediate(() => setImmediate(() => resolve(void order.push('other work'))));
  });
  await Promise.all([read, other]);
  expect(order).toEqual(['other work', 'read']);
});

test('a Snapshot that needs more memory than there is costs a sentence', async () => {
  await using reader = new SnapshotReader({ mostHeapMegabytes: 64 });
  const bomb = zstdCompressSync(`{"requests":[${'{},'.repeat(2e6)}{}]}`);
  await expect(reader.write(bomb, { kind: 'json' })).rejects.toMatchObject({
    code: 'internal',
    message: expect.stringContaining('The Snapshot of the Visit cannot be read: The process that read it') as string,
  });
  expect(JSON.parse(await reader.write(compressSnapshot(small), { kind: 'json' }))).toEqual(small);
});

test.for([
  ['small', 100],
  ['large', 100_000],
] as const)('a %s Snapshot with very many faults is refused in some words', async ([, faults]) => {
  await using reader = new SnapshotReader();
  const damaged = JSON.stringify({ requests: Array.from({ length: faults }, () => ({})) });
  const problem = await reader.write(damaged, { kind: 'json' }).catch((error: unknown) => error as Error);
  expect(problem).toMatchObject({ code: 'internal' });
  expect((problem as Error).message).toMatch(/^The Snapshot of the Visit cannot be read: .{100}/s);
  expect((problem as Error).message.length).toBeLessThan(1100);
});

test('of a Snapshot in each way that it is stored, no more is read than is asked for', () => {
  const json = JSON.stringify(small);
  for (const stored of [json, gzipSync(json)]) {
    expect(readStoredSnapshot(stored)).toEqual(small);
    expect(readStoredSnapshot(stored, json.length)).toEqual(small);
    expect(() => readStoredSnapshot(stored, json.length - 1)).toThrow(SnapshotTooLargeError);
  }
});

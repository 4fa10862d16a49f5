import { zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { DerivationPool } from '#controller/ingest/derivation-pool.ts';
import { compressSnapshot } from '#controller/visits/compressed-snapshot.ts';
import { makeSnapshot } from '#tests/support/make-snapshot.ts';

const good = {
  snapshot: compressSnapshot(makeSnapshot({ url: 'http://origin.test/', totalMs: 300 })),
  filmstrip: null,
};

/** Megabytes in some hundred bytes, that need more memory than this process may have. */
const mostHeapMegabytes = 64;
const bombBytes = 8 * 1024 * 1024;

function makeBomb(part: string, [before, after]: [string, string]): typeof good {
  const parts = part.repeat(Math.floor(bombBytes / part.length));
  return { snapshot: zstdCompressSync(`${before}${parts}${after}`), filmstrip: null };
}

test.for([
  { name: 'objects', part: '{},', around: ['{"requests":[', '{}]}'] },
  { name: 'lists', part: '[],', around: ['{"frames":[', '[]]}'] },
  { name: 'columns', part: '0,', around: ['{"requests":{"$columns":[{"name":"url","values":[', '0]}]}}'] },
] satisfies { name: string; part: string; around: [string, string] }[])(
  'a Snapshot that unpacks to millions of $name costs nothing but itself',
  async ({ part, around }) => {
    await using pool = new DerivationPool({ mostHeapMegabytes });
    const bomb = makeBomb(part, around);
    expect(bomb.snapshot.length).toBeLessThan(5000);
    expect(await pool.derive([good, bomb, good])).toMatchObject([
      { kind: 'derived' },
      {
        kind: 'refused',
        code: 'unreadable',
        problem: expect.stringContaining('The process that read it ended') as string,
      },
      { kind: 'derived' },
    ]);
  },
);

test('Snapshots of one Agent that wait do not hold up those of another', async () => {
  await using pool = new DerivationPool({ mostProcesses: 1 });
  const ended: string[] = [];
  const derive = async (agent: string) => {
    await pool.derive([good], agent);
    ended.push(agent);
  };
  await Promise.all(['many', 'many', 'many', 'many', 'few', 'few'].map(derive));
  expect(ended).toEqual(['many', 'many', 'few', 'many', 'few', 'many']);
});

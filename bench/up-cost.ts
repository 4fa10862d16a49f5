import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';
import { estimateMedian } from './support/interval-of-median.ts';
import { readIfThere } from './support/read-if-there.ts';
import { listProcesses } from './support/read-tree-cpu.ts';

/**
 * What `./http-ae up --agent` takes of the machine of one person, in another checkout and in this one in turn: `node bench/up-cost.ts OTHER_CHECKOUT [TIMES]`. Each has a home of its own,
 * and starts once before, which makes the database and builds what is not there. Reports the time until the Controller listens, and the memory half a minute later.
 */
const [other, times = '6'] = process.argv.slice(2);
if (other === undefined) throw new Error('Name another checkout: node bench/up-cost.ts OTHER_CHECKOUT [TIMES]');
const restMs = 30_000;
const checkouts = { other: path.resolve(other), this: path.join(import.meta.dirname, '..') };
type Checkout = keyof typeof checkouts;

await using homes = await makeTemporaryFolder('http-ae-bench-');
const measured: Record<Checkout, { startMs: number; megabytes: number }[]> = { other: [], this: [] };
for (let turn = -1; turn < Number(times); turn++)
  for (const checkout of ['other', 'this'] as const) {
    const result = await start(checkout, turn < 0 ? 0 : restMs);
    if (turn >= 0) measured[checkout].push(result);
  }

const describe = (checkout: Checkout, field: 'startMs' | 'megabytes') => {
  const { median, low, high } = estimateMedian(measured[checkout].map((each) => each[field]));
  return { median: Math.round(median), '95 % interval': `${Math.round(low)} … ${Math.round(high)}` };
};
const ratio = (field: 'startMs' | 'megabytes') => ({
  median: (describe('this', field).median / describe('other', field).median).toFixed(2),
});
console.table({
  'start, ms: other': describe('other', 'startMs'),
  'start, ms: this': describe('this', 'startMs'),
  'start: this / other': ratio('startMs'),
  'memory, MB: other': describe('other', 'megabytes'),
  'memory, MB: this': describe('this', 'megabytes'),
  'memory: this / other': ratio('megabytes'),
});

async function start(checkout: Checkout, waitMs: number): Promise<{ startMs: number; megabytes: number }> {
  const beganMs = performance.now();
  const child = spawn('./http-ae', ['up', '--agent', '--port', '0', '--json'], {
    cwd: checkouts[checkout],
    env: {
      ...process.env,
      HTTP_AE_HOME: path.join(homes.path, checkout),
      PATH: `${path.dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit');
  const line = await Promise.race([once(createInterface(child.stdout), 'line'), ended.then(() => null)]);
  if (line === null) throw new Error(`./http-ae up ended in ${checkouts[checkout]}: run it there, to see why`);
  const startMs = performance.now() - beganMs;
  await sleep(waitMs);
  const bytes = listTree(child.pid!).reduce((sum, id) => sum + readMemory(id), 0);
  child.kill('SIGTERM');
  await ended;
  return { startMs, megabytes: bytes / 1e6 };
}

/** A process and all that it started. */
function listTree(root: number): number[] {
  const processes = listProcesses();
  const tree = [root];
  for (const id of tree) tree.push(...processes.filter(({ parentId }) => parentId === id).map((each) => each.id));
  return tree;
}

/** What a process takes alone, with its share of what it shares (Pss), in bytes. */
function readMemory(id: number): number {
  const kilobytes = /^Pss:\s+(\d+) kB$/m.exec(readIfThere(`/proc/${id}/smaps_rollup`) ?? '')?.[1];
  return Number(kilobytes ?? 0) * 1024;
}

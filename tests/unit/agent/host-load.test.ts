import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { measureLoad, readLoad } from '#agent/host/measure-load.ts';
import { ProcessWaits } from '#agent/host/process-waits.ts';
import { HostLoadSchema } from '#core/protocol/host-load.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

/** A `/proc` whose counters say so much. */
function writeProc(folder: string, { cpu, waitedUs }: { cpu: number[]; waitedUs: number | null }): void {
  mkdirSync(path.join(folder, 'pressure'), { recursive: true });
  writeFileSync(path.join(folder, 'stat'), `cpu  ${cpu.join(' ')}\ncpu0 1 2 3\n`);
  writeFileSync(path.join(folder, 'loadavg'), '2.51 1.58 0.84 3/417 14346\n');
  writeFileSync(path.join(folder, 'meminfo'), 'MemTotal:       24000000 kB\nMemAvailable:    1000 kB\n');
  for (const resource of ['cpu', 'memory', 'io']) {
    const file = path.join(folder, 'pressure', resource);
    if (waitedUs === null) rmSync(file, { force: true });
    else
      writeFileSync(
        file,
        `some avg10=21.02 avg60=25.91 avg300=16.25 total=${waitedUs}\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n`,
      );
  }
}

test('the load of a host over a Pass is what its counters rose by', async () => {
  await using folder = await makeTemporaryFolder();
  writeProc(folder.path, { cpu: [100, 0, 100, 1000, 0, 0, 0, 50, 0, 0], waitedUs: 0 });
  const start = readLoad(folder.path);
  // 100 ticks later, of which 30 busy, 50 idle, 20 stolen.
  writeProc(folder.path, { cpu: [110, 5, 110, 1040, 10, 2, 3, 70, 0, 0], waitedUs: 1 });
  const load = HostLoadSchema.parse(measureLoad(start, folder.path));
  expect(load).toMatchObject({
    kind: 'measured',
    figures: {
      busyRatio: { value: expect.closeTo(0.3, 9) as number },
      stealRatio: { value: expect.closeTo(0.2, 9) as number },
      cpuPressureRatio: { kind: 'measured' },
      memoryPressureRatio: { kind: 'measured' },
      loadAverage: { value: 2.51 },
      memoryAvailableBytes: { value: 1_024_000 },
    },
  });
});

test('what a kernel does not show is absent with its reason, never 0', async () => {
  await using folder = await makeTemporaryFolder();
  writeProc(folder.path, { cpu: [100, 0, 100, 1000, 0, 0, 0, 50, 0, 0], waitedUs: null });
  const load = measureLoad(readLoad(folder.path), folder.path);
  expect(load).toMatchObject({
    figures: {
      busyRatio: { kind: 'absent', reason: 'The Pass was shorter than the kernel counts' },
      cpuPressureRatio: { kind: 'absent', reason: 'This kernel keeps no pressure stall information (PSI)' },
    },
  });
  const nowhere = path.join(folder.path, 'nowhere');
  expect(measureLoad(readLoad(nowhere), nowhere)).toEqual({
    kind: 'absent',
    reason: expect.stringMatching(/^Only Linux shows it/) as string,
  });
});

test.runIf(process.platform === 'linux')('this host shows its own', () => {
  const start = readLoad();
  const untilMs = performance.now() + 100;
  while (performance.now() < untilMs);
  const load = HostLoadSchema.parse(measureLoad(start));
  if (load.kind !== 'measured') throw new Error(load.reason);
  expect(load.figures.busyRatio).toMatchObject({ kind: 'measured' });
  expect((load.figures.busyRatio as { value: number }).value).toBeGreaterThan(0);
});

/** Processes in a `/proc`, each with its children and what its main thread ran and waited, in ns. */
function writeProcesses(folder: string, processes: Record<number, { children: number[]; schedstat: string }>): void {
  for (const [id, { children, schedstat }] of Object.entries(processes)) {
    const task = path.join(folder, id, 'task', id);
    mkdirSync(task, { recursive: true });
    writeFileSync(path.join(task, 'children'), children.join(' '));
    writeFileSync(path.join(folder, id, 'schedstat'), schedstat);
  }
}

test('what a browser waits is that of the main thread that waits longest, of new processes and ended ones too', async () => {
  await using folder = await makeTemporaryFolder();
  writeProcesses(folder.path, {
    1: { children: [2], schedstat: '5000000 3000000 9' },
    2: { children: [], schedstat: '5000000 1500000 9' },
    7: { children: [], schedstat: '5000000 99000000 9' },
  });
  const waits = new ProcessWaits(() => 1, folder.path);
  expect(waits.readMs()).toBe(3);
  waits.begin();
  expect(waits.readMs()).toBe(0);
  writeProcesses(folder.path, {
    1: { children: [3], schedstat: '6000000 3000000 9' },
    3: { children: [], schedstat: '1000000 250000 9' },
  });
  rmSync(path.join(folder.path, '2'), { recursive: true });
  const found = Array.from({ length: 4 }, () => waits.readMs());
  expect(found.at(-1)).toBe(0.25);
});

test('what a browser waits is not known without a browser, and where the kernel counts nothing', async () => {
  await using folder = await makeTemporaryFolder();
  writeProcesses(folder.path, { 1: { children: [], schedstat: '0 0 0' } });
  expect(new ProcessWaits(() => 1, folder.path).readMs()).toBeNull();
  expect(new ProcessWaits(() => null, folder.path).readMs()).toBeNull();
});

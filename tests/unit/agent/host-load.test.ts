import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { measureLoad, readLoad } from '#agent/host/measure-load.ts';
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

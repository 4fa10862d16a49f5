import { setTimeout as pause } from 'node:timers/promises';
import { listNamespaces } from '#testbed/namespaces/network-namespaces.ts';
import { isRunning, listManagementInterfaces, startTestbedProcess } from '#tests/testbed/support/kill-and-repeat.ts';

/** A testbed that is killed with `kill -9`, again and again, and what that leaves: `node bench/testbed-cycles.ts [CYCLES]`, as root. */
const cycles = Number(process.argv[2] ?? 100);
const pids = new Set<number>();
const family: number[] = [];
const startMs = performance.now();
for (let cycle = 0; cycle < cycles; cycle++) {
  const testbed = await startTestbedProcess('geo-1m', process.env);
  pids.add(testbed.pid);
  family.push(...testbed.family);
  await testbed.end('SIGKILL');
}
const tookMs = performance.now() - startMs;
// The watch of the last one.
await pause(5000);

console.table({
  cycles,
  'seconds each': (tookMs / cycles / 1000).toFixed(2),
  'namespaces left': listNamespaces().filter(({ owner }) => pids.has(owner.pid)).length,
  'management interfaces left, of testbeds that stand no more':
    listManagementInterfaces().length - listNamespaces().filter(({ place }) => place !== 'satellite').length,
  'processes left': family.filter(isRunning).length,
});

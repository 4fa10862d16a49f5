import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { withMachineLock } from '#testbed/namespaces/with-machine-lock.ts';

const file = path.resolve(import.meta.dirname, '../../testbed/namespaces/with-machine-lock.ts');
const program = `import { withMachineLock } from '${file}'; withMachineLock('test', async () => { console.log('held'); await new Promise(() => setInterval(() => {}, 1000)); })`;

test('a lock of the machine is held by one at a time, also across processes, and a killed one lets go', async () => {
  const order: string[] = [];
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  const take = (name: string) =>
    withMachineLock('test', async () => {
      order.push(`${name} begins`);
      await pause(30);
      order.push(`${name} ends`);
    });
  const both = [take('first'), take('second')];
  await pause(200);
  expect(order).toEqual([]);
  child.kill('SIGKILL');
  await Promise.all(both);
  expect(order.map((line) => line.split(' ')[1])).toEqual(['begins', 'ends', 'begins', 'ends']);
});

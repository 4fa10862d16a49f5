import { readdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { judgeTime, roomyLimits } from '#tests/support/judge-time.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';
import { runCli } from '#tests/support/run-cli.ts';
import { listNamespaces } from '#testbed/namespaces/network-namespaces.ts';
import { runTool } from '#testbed/namespaces/run-tool.ts';
import { openTestbedNetwork, removeLeftovers } from '#testbed/namespaces/testbed-network.ts';
import { isRunning, listManagementInterfaces, startTestbedProcess } from './support/kill-and-repeat.ts';

const namespacesOf = (pids: number[]) => listNamespaces().filter(({ owner }) => pids.includes(owner.pid));

test('testbeds that are killed again and again leave no namespace, interface, process or file behind', async () => {
  await using folder = await makeTemporaryFolder();
  const [home, temporary] = [path.join(folder.path, 'home'), path.join(folder.path, 'tmp')];
  for (const each of [home, temporary]) await mkdir(each);
  const environment = { ...process.env, HTTP_AE_HOME: home, TMPDIR: temporary };

  const pids: number[] = [];
  const family: number[] = [];
  for (let cycle = 0; cycle < 5; cycle++) {
    const testbed = await startTestbedProcess('cable', environment);
    // It, or their own watches, have removed what those before it had left.
    expect(namespacesOf(pids)).toEqual([]);
    pids.push(testbed.pid);
    family.push(...testbed.family);
    await testbed.end('SIGKILL');
  }

  const last = await startTestbedProcess('cable', environment);
  await last.end('SIGTERM');
  expect(namespacesOf([...pids, last.pid])).toEqual([]);
  await expect.poll(() => [...family, ...last.family].filter(isRunning), { timeout: 60_000 }).toEqual([]);
  expect([...readdirSync(home), ...readdirSync(temporary)]).toEqual([]);
  expect(listManagementInterfaces()).toHaveLength(listNamespaces().filter(({ place }) => place !== 'satellite').length);
});

test('the namespaces of a killed testbed are gone within 5 s', async (context) => {
  await judgeTime(context, {
    measure: async () => {
      const testbed = await startTestbedProcess('cable', process.env);
      await testbed.end('SIGKILL');
      const startMs = performance.now();
      await expect.poll(() => namespacesOf([testbed.pid]), { timeout: 60_000, interval: 50 }).toEqual([]);
      return performance.now() - startMs;
    },
    holds: (tookMs) => expect(tookMs).toBeLessThan(5000),
    limits: roomyLimits,
  });
});

test('what is not left by a killed testbed is left alone', async () => {
  await using network = await openTestbedNetwork();
  const foreign = `hae-like-${process.pid}`;
  await runTool('ip', 'netns', 'add', foreign);
  try {
    await removeLeftovers();
    await runTool('ip', 'netns', 'exec', foreign, 'true');
    expect(
      namespacesOf([process.pid])
        .map(({ name }) => name)
        .sort(),
    ).toEqual(Object.values(network.namespaces).sort());
  } finally {
    await runTool('ip', 'netns', 'delete', foreign);
  }
});

test('two testbeds of one process stand side by side', async () => {
  await using first = await openTestbedNetwork();
  await using second = await openTestbedNetwork();
  expect(first.ground.management.address).not.toBe(second.ground.management.address);
  expect(namespacesOf([process.pid])).toHaveLength(6);
});

test('"down" ends a testbed that is held elsewhere, and leaves the one of a process that is not "up"', async () => {
  await using network = await openTestbedNetwork();
  const held = await startTestbedProcess('cable', process.env);
  const { exitCode, stdout } = await runCli(['testbed', 'down', '--json']);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    ended: expect.arrayContaining([held.pid]) as number[],
    stay: expect.arrayContaining([process.pid]) as number[],
  });
  expect(namespacesOf([held.pid])).toEqual([]);
  expect(namespacesOf([process.pid]).map(({ name }) => name)).toContain(network.namespaces.ground);
});

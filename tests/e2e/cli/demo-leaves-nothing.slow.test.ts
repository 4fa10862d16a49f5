import { once } from 'node:events';
import { expect, test } from 'vitest';
import { listNamespaces } from '#testbed/namespaces/network-namespaces.ts';
import { removeLeftovers } from '#testbed/namespaces/testbed-network.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';
import { processesOf, startDemo } from './support/start-demo.ts';

/** By the browser's first process: renderers overwrite their environment, and so are seen only where they have an OS user of their own. */
async function untilBrowsersRun(homeFolder: string): Promise<void> {
  await expect
    .poll(() => processesOf(homeFolder).join('\n'), { timeout: 90_000, interval: 500 })
    .toContain('--remote-debugging-pipe');
}

/** The words before a command of who is an ordinary user, by name and to the kernel, and may have a user namespace. */
const asOrdinaryUser = ['unshare', '--user', '--map-user=1000', '--map-group=1000', '--'];

const users = [
  ['root', []],
  ['who is not root', asOrdinaryUser],
] as const;
const moments = ['Starting PostgreSQL', 'Running "Demo'];

test.for(users.flatMap(([user, prefix]) => moments.map((moment) => [moment, user, prefix] as const)))(
  'Ctrl-C after "%s" leaves no process of %s behind',
  async ([moment, , prefix]) => {
    await using folder = await makeTemporaryFolder();
    const { demo, until } = await startDemo(folder.path, { prefix });
    await until(moment);
    process.kill(-demo.pid!, 'SIGINT'); // as a terminal does: to the whole group
    const [exitCode] = (await once(demo, 'exit')) as [number | null];
    expect(exitCode).toBe(130);
    expect(processesOf(folder.path)).toEqual([]);
    expect(listNamespaces().filter(({ owner }) => owner.pid === demo.pid)).toEqual([]);
  },
);

// By then the traces of a Round have been uploaded: what that leaves in the Controller must not keep it.
test('Ctrl-C in the middle of the second Round, with browsers up, leaves no process and no namespace behind', async () => {
  await using folder = await makeTemporaryFolder();
  const { demo, until, said } = await startDemo(folder.path);
  await until('1 of 12 Rounds');
  await untilBrowsersRun(folder.path);
  process.kill(-demo.pid!, 'SIGINT');
  await expect.poll(() => processesOf(folder.path).length, { timeout: 90_000 }).toBeLessThanOrEqual(1);
  // All that it started is gone, so nothing is left to do: only a timer or a socket that it forgot would keep it.
  await expect.poll(() => demo.exitCode, { timeout: 30_000 }).toBe(130);
  expect(said()).not.toContain('unexpectedly');
  // Its Run, too: the next would wait for it.
  expect(said()).toMatch(/Stopping Run 1;/);
  expect(said()).not.toContain('was not stopped');
  expect(processesOf(folder.path)).toEqual([]);
  expect(listNamespaces().filter(({ owner }) => owner.pid === demo.pid)).toEqual([]);
});

test('a demo that is killed takes its Agents, browsers, origin and database with it', async () => {
  await using folder = await makeTemporaryFolder();
  const { demo } = await startDemo(folder.path);
  await untilBrowsersRun(folder.path);
  const running = processesOf(folder.path).join('\n');
  expect(running).toMatch(/bin\/postgres /);
  expect(running).toContain('main.ts agent');
  demo.kill('SIGKILL');
  await once(demo, 'exit');
  await expect.poll(() => processesOf(folder.path), { timeout: 30_000 }).toEqual([]);
  // Its namespaces, in which nothing runs any more, are what the next start of a testbed removes.
  await removeLeftovers();
  expect(listNamespaces().filter(({ owner }) => owner.pid === demo.pid)).toEqual([]);
});

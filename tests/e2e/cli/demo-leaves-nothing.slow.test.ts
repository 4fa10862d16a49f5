import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findBrowser } from '#cli/find-browser.ts';
import { listNamespaces } from '#testbed/namespaces/network-namespaces.ts';
import { removeLeftovers } from '#testbed/namespaces/remove-leftovers.ts';
import { commandOf, hasVariable, listProcesses, readOfProcess } from '#tests/support/list-processes.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

const main = path.resolve(import.meta.dirname, '../../../cli/main.ts');

/** The OS users of the demo's User Agents: nothing of the Agent's environment reaches their browsers. */
const demoUsers = [20_001, 20_002];

/** The processes that were started with this home folder, and those of the demo's users: the demo and all that it started. */
function processesOf(homeFolder: string): string[] {
  return listProcesses((pid) => isOfDemoUser(pid) || hasVariable(pid, `HTTP_AE_TEST_HOME=${homeFolder}`)).map(
    commandOf,
  );
}

function isOfDemoUser(pid: string): boolean {
  const uid = /^Uid:\s+(\d+)/m.exec(readOfProcess(pid, 'status'))?.[1];
  return demoUsers.includes(Number(uid));
}

/** By the browser's first process: renderers overwrite their environment, and so are seen only where they have an OS user of their own. */
async function untilBrowsersRun(homeFolder: string): Promise<void> {
  await expect
    .poll(() => processesOf(homeFolder).join('\n'), { timeout: 90_000, interval: 500 })
    .toContain('--remote-debugging-pipe');
}

/** The words before a command of who is an ordinary user, by name and to the kernel, and may have a user namespace. */
const asOrdinaryUser = ['unshare', '--user', '--map-user=1000', '--map-group=1000', '--'];

async function startDemo(
  homeFolder: string,
  prefix: readonly string[] = [],
): Promise<{ demo: ChildProcess; until: (text: string) => Promise<void>; said: () => string }> {
  const { env: environment, platform } = process;
  const chrome = await findBrowser({
    environment,
    platform,
    homeFolder,
    say: console.error,
    signal: AbortSignal.timeout(60_000),
  });
  const [program, ...words] = [...prefix, process.execPath, '--disable-warning=ExperimentalWarning', main, 'demo'];
  const demo = spawn(program, words, {
    env: {
      ...environment,
      HTTP_AE_HOME: homeFolder,
      HTTP_AE_TEST_HOME: homeFolder,
      HTTP_AE_CHROME: chrome,
      DATABASE_URL: '',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  onTestFinished(() => void demo.kill('SIGKILL'));
  let told = '';
  demo.stderr.setEncoding('utf8').on('data', (text: string) => (told += text));
  return { demo, until: (text) => expect.poll(() => told, { timeout: 150_000 }).toContain(text), said: () => told };
}

const users = [
  ['root', []],
  ['who is not root', asOrdinaryUser],
] as const;
const moments = ['Starting PostgreSQL', 'Running "Demo'];

test.for(users.flatMap(([user, prefix]) => moments.map((moment) => [moment, user, prefix] as const)))(
  'Ctrl-C after "%s" leaves no process of %s behind',
  async ([moment, , prefix]) => {
    await using folder = await makeTemporaryFolder();
    const { demo, until } = await startDemo(folder.path, prefix);
    await until(moment);
    process.kill(-demo.pid!, 'SIGINT'); // as a terminal does: to the whole group
    const [exitCode] = (await once(demo, 'exit')) as [number | null];
    expect(exitCode).toBe(130);
    expect(processesOf(folder.path)).toEqual([]);
    expect(listNamespaces().filter(({ owner }) => owner.pid === demo.pid)).toEqual([]);
  },
);

// By then the traces of a Round have been uploaded: what that leaves in the Controller must not keep it.
test.for(users)(
  'Ctrl-C in the middle of the second Round, with browsers up, leaves no process and no namespace of %s behind',
  async ([, prefix]) => {
    await using folder = await makeTemporaryFolder();
    const { demo, until, said } = await startDemo(folder.path, prefix);
    await until('1 of 10 Rounds');
    await untilBrowsersRun(folder.path);
    process.kill(-demo.pid!, 'SIGINT');
    await expect.poll(() => processesOf(folder.path).length, { timeout: 90_000 }).toBeLessThanOrEqual(1);
    // All that it started is gone, so nothing is left to do: only a timer or a socket that it forgot would keep it.
    await expect.poll(() => demo.exitCode, { timeout: 30_000 }).toBe(130);
    expect(said()).not.toContain('unexpectedly');
    expect(processesOf(folder.path)).toEqual([]);
    expect(listNamespaces().filter(({ owner }) => owner.pid === demo.pid)).toEqual([]);
  },
);

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

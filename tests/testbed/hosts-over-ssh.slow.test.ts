import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { ControllerAccessSchema, localAccessFile } from '#cli/controller/controller-access.ts';
import { idOfHost } from '#cli/hosts/remote/make-script.ts';
import { AgentSummarySchema } from '#core/protocol/api/access.ts';
import { openTestbedNetwork, type TestbedNetwork } from '#testbed/namespaces/testbed-network.ts';
import { CliProcess } from '#tests/support/cli-process.ts';
import { createTestDatabase } from '#tests/support/database.ts';
import { findFreePort } from '#tests/support/find-free-port.ts';
import { runCli } from '#tests/support/run-cli.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';
import { installDependencies, startSshd, type Sshd } from './support/start-sshd.ts';

const resources = new AsyncDisposableStack();
let network: TestbedNetwork;
let sshd: Sshd;
let environment: Record<string, string>;
let inventory: string;
afterAll(() => resources.disposeAsync());

beforeAll(async () => {
  const folder = resources.use(await makeTemporaryFolder()).path;
  const database = resources.use(await createTestDatabase());
  network = resources.use(await openTestbedNetwork());
  const { address, hostAddress } = network.remote.management;
  sshd = resources.use(
    await startSshd({ enter: network.enter('remote'), address, port: 2222, folder: path.join(folder, 'sshd') }),
  );
  const homeFolder = path.join(folder, 'home');
  environment = { DATABASE_URL: database.databaseUrl, HTTP_AE_HOME: homeFolder, HOME: folder };
  const port = await findFreePort();
  // Only this machine reaches it there, and no host does.
  const publicUrl = `http://${hostAddress}:${port}`;
  const up = resources.use(
    new CliProcess(['up', '--port', `${port}`, '--public-url', publicUrl, '--json'], environment),
  );
  await up.firstLine();

  const hosts = {
    'lab-1': await sshd.configOf(),
    stranger: await sshd.configOf({ knownHosts: '/dev/null' }),
    'locked-out': await sshd.configOf({ key: sshd.foreignKey }),
  };
  inventory = path.join(folder, 'hosts.yaml');
  writeFileSync(
    inventory,
    [
      'all:',
      `  vars: { ansible_host: ${address}, ansible_port: 2222, http_ae_browser: no }`,
      '  children:',
      `    lab: { hosts: { lab-1: { ansible_ssh_common_args: -F ${hosts['lab-1']} } } }`,
      '    others:',
      '      hosts:',
      `        stranger: { ansible_ssh_common_args: -F ${hosts.stranger} }`,
      `        locked-out: { ansible_ssh_common_args: -F ${hosts['locked-out']} }`,
    ].join('\n'),
  );
  installDependencies(sshd, 'lab-1');
});

const run = (...args: string[]) => runCli(['hosts', ...args, '--inventory', inventory], environment);

async function listAgents() {
  const { url, token } = ControllerAccessSchema.parse(
    JSON.parse(readFileSync(localAccessFile(environment.HTTP_AE_HOME!), 'utf8')),
  );
  const answer = await fetch(`${url}/api/agents`, { headers: { authorization: `Bearer ${token}` } });
  return z.array(AgentSummarySchema).parse(await answer.json());
}

/** Those at the host that have to do with HTTP-AE, with their words and their environment. */
function listProcesses(): string[] {
  return listPids()
    .map((pid) => readProcess(pid))
    .filter((words) => words.includes('http-ae-hosts'));
}

function listPids(): string[] {
  const { stdout } = spawnSync('ip', ['netns', 'pids', network.namespaces.remote], { encoding: 'utf8' });
  return stdout.split('\n').filter((pid) => pid !== '');
}

function readProcess(pid: string): string {
  try {
    return ['cmdline', 'environ'].map((file) => readFileSync(`/proc/${pid}/${file}`, 'utf8')).join('\n');
  } catch {
    return ''; // it has ended by now
  }
}

const StateSchema = z.object({ hosts: z.array(z.looseObject({ name: z.string(), reason: z.string().nullable() })) });
const readStates = (text: string) => StateSchema.parse(JSON.parse(text)).hosts;

test('a host joins over ssh, through a tunnel as it does not reach the Controller; others fail with what to do; after a kill, "down" leaves nothing', async () => {
  await using up = new CliProcess(['hosts', 'up', '--json', '--inventory', inventory], environment);
  const [joined, stranger, lockedOut] = readStates(await up.firstLine());
  expect(joined, up.stderr).toMatchObject({ name: 'lab-1', state: 'joined', isTunnelled: true });
  expect(stranger!.reason).toContain('its host key is unknown here. Log in once by "ssh -p 2222 ');
  expect(lockedOut!.reason).toContain('it lets in no key of yours. Add one by "ssh-copy-id -p 2222 ');
  expect(up.stderr).toContain('lab-1: it does not reach the Controller at');
  expect(await listAgents()).toMatchObject([{ name: 'lab-1', isConnected: true, facts: { bySsh: 'channel' } }]);
  const running = listProcesses();
  expect(running.length).toBeGreaterThan(0);
  expect(running.filter((words) => words.includes('hae_'))).toEqual([]);

  // ssh loses its connection, as when the machine at the other end restarts.
  for (const pid of listPids().filter((each) => readProcess(each).startsWith('sshd: root@')))
    process.kill(Number(pid), 'SIGKILL');
  await expect.poll(() => up.stderr, { timeout: 60_000 }).toContain('lab-1: joined again');
  expect(up.stderr).toContain('lab-1: connecting again in 2 s\n');
  expect(await listAgents()).toMatchObject([{ name: 'lab-1', isConnected: true }]);

  const status = await run('status', '--limit', 'lab');
  expect(status.stdout).toMatch(/^Host .*\nlab-1 +\S+:2222 +connected +this one +runs, ends with its channel\n$/);
  expect(status.exitCode).toBe(0);

  await up.kill('SIGKILL');
  await expect.poll(listProcesses, { timeout: 30_000 }).toEqual([]);
  const down = await run('down');
  expect([down.exitCode, down.stderr]).toEqual([1, expect.stringContaining('lab-1: removed\n')]);
  expect(down.stderr).toContain('2 of 3 hosts failed, for the reasons above: stranger, locked-out');
  for (const each of ['home', 'lib']) expect(readdirSync(path.join(sshd.ownFolder, each))).toEqual([]);
  expect(existsSync(`/tmp/hae-${idOfHost('lab-1')}`)).toBe(false);
  expect(await listAgents()).toEqual([]);
  const tokens = await runCli(['token', 'list'], environment);
  expect(tokens.stdout).not.toContain('hosts up');

  const again = await run('down', '--limit', 'lab', '--json');
  expect([again.exitCode, readStates(again.stdout)]).toEqual([0, [{ name: 'lab-1', state: 'absent', reason: null }]]);
});

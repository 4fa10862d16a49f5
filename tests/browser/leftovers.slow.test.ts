import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { EngineSession } from '#agent/engines/engine.ts';
import { isFirefoxLeftOut } from './support/find-firefox.ts';
import { openFirefoxSession, openSession } from './support/open-session.ts';
import { noIcon, servePages, type PageServer } from './support/serve-pages.ts';
import { visit } from './support/visit-for-snapshot.ts';

const pageLoad = { restMs: 0, quietMs: 100, timeoutMs: 20_000 };
/** The system may take long to bury what was killed. */
const within = { timeout: 60_000 };

let temporaryFolder: string;
let server: PageServer;
let whenWaitedFor: () => void;

beforeEach(async () => {
  temporaryFolder = await mkdtemp(path.join(tmpdir(), 'leftovers-'));
  server = await servePages({
    '/': `${noIcon}<p>A page`,
    '/hang': () => undefined,
    '/waiting': `${noIcon}<p>A page<img src=/waited-for>`,
    '/waited-for': () => whenWaitedFor(),
    '/busy': `${noIcon}<p>A page<script>addEventListener('load', () => setTimeout(() => { for (;;); }))</script>`,
  });
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await server[Symbol.asyncDispose]();
  await rm(temporaryFolder, { recursive: true, maxRetries: 20, retryDelay: 100 });
});

/** How each browser that the Agent starts calls the processes of its pages. */
const browsers = [
  { name: 'chrome', open: openSession, isRenderer: (command: string) => command.includes('--type=renderer') },
  {
    name: 'firefox',
    open: openFirefoxSession,
    isRenderer: (command: string) => command.includes('-contentproc') && command.trimEnd().endsWith('tab'),
  },
];

describe.each(browsers.filter(({ name }) => name !== 'firefox' || !isFirefoxLeftOut))(
  'the engine $name',
  ({ name, open, isRenderer }) => {
    test('no process of a browser gets the token of the Agent, and after its session neither process nor file is left', async () => {
      vi.stubEnv('HTTP_AE_TOKEN', 'hae_secret');
      vi.stubEnv('TZ', 'Europe/Dublin');
      const session = await open({ pageLoad, temporaryFolder });
      await visit(session, server.url);
      const processId = session.processId!;
      if (process.platform === 'linux') {
        expect(await readFile(`/proc/${processId}/environ`, 'utf8')).toContain('TZ=Europe/Dublin\0');
        const environments = await Promise.all(
          listProcesses(processId).map(({ pid }) => readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')),
        ); // some end meanwhile
        expect(environments.filter((environment) => environment.includes('hae_secret'))).toEqual([]);
      }
      expect(listProcesses(processId)).not.toEqual([]);
      await session[Symbol.asyncDispose]();
      await expectNothingLeft(processId);
      expect(await visit(session, server.url)).toMatchObject({ status: 'failed', code: 'aborted' });
      expect(await readdir(temporaryFolder)).toEqual([]);
    });

    test('a Visit that is aborted, and one whose browser is killed, say so, leave nothing, and the next has a new browser', async () => {
      await using session = await open({ pageLoad, temporaryFolder });
      const end = async (how: (processId: number) => void, abortion = new AbortController()) => {
        const processId = session.processId!;
        const url = `${server.url}/hang`;
        const outcome = await session.visit({ url, signal: abortion.signal, onNavigate: () => how(processId) });
        await expectNothingLeft(processId);
        return outcome;
      };
      const abortion = new AbortController();
      // At the Visit's own limit it would be a timeout.
      expect(await end(() => abortion.abort(), abortion)).toMatchObject({ status: 'failed', code: 'aborted' });
      expect(session.processId).toBeNull();
      expect(await visit(session, server.url)).toMatchObject({ status: 'ok' });
      const killed = await end((processId) => process.kill(processId, 'SIGKILL'));
      expect(killed).toMatchObject({ status: 'failed', code: 'browser-crashed' });
      expect(await visit(session, server.url)).toMatchObject({ status: 'ok' });
    });

    test('a browser that is killed between two Visits is replaced before the next one', async () => {
      await using session = await open({ pageLoad: { ...pageLoad, cache: 'warm' }, temporaryFolder });
      await visit(session, server.url);
      process.kill(session.processId!, 'SIGKILL');
      await vi.waitUntil(() => session.processId === null, within);
      expect(await visit(session, server.url)).toMatchObject({ status: 'ok' });
    });

    test('a page whose renderer crashes is browser-crashed, one whose script never ends a timeout, and the next Visit is like any other', async () => {
      await using session = await open({ pageLoad: { ...pageLoad, timeoutMs: 4000 }, temporaryFolder });
      whenWaitedFor = () => {
        const renderers = listProcesses(session.processId!).filter(({ command }) => isRenderer(command));
        renderers.forEach(({ pid }) => process.kill(pid, 'SIGKILL'));
      };
      expect(await visit(session, `${server.url}/waiting`)).toMatchObject({
        status: 'failed',
        code: 'browser-crashed',
      });
      expect(await visit(session, `${server.url}/busy`)).toMatchObject({ status: 'failed', code: 'timeout' });
      expect(await visit(session, server.url)).toMatchObject({ status: 'ok' });
    });

    test('a program that is no browser is reported as browser-failed, with nothing left', async () => {
      const session: Promise<EngineSession> = open({ pageLoad, temporaryFolder, executablePath: '/bin/false' });
      await expect(session).rejects.toMatchObject({ code: 'browser-failed' });
      expect(await readdir(temporaryFolder)).toEqual([]);
    });

    test.runIf(process.platform === 'linux')(
      'a long path for temporary files works, or the reason is given',
      async () => {
        const long = path.join(temporaryFolder, 'a'.repeat(80));
        await mkdir(long);
        const outcome = await open({ pageLoad, temporaryFolder: long }).then(
          (session) => session[Symbol.asyncDispose]().then(() => 'works'),
          String,
        );
        expect(outcome).toContain({ chrome: `${long}, is `, firefox: 'works' }[name]);
        expect(await readdir(long)).toEqual([]);
      },
    );

    test('opening that is aborted leaves nothing', async () => {
      await expect(
        open({ pageLoad, temporaryFolder, signal: AbortSignal.abort(new Error('no longer wanted')) }),
      ).rejects.toThrow('no longer wanted');
      expect(await readdir(temporaryFolder)).toEqual([]);
    });

    test('what a killed agent leaves behind ends with it, or is removed by the next one', async () => {
      const script = path.join(import.meta.dirname, 'support/hold-session.ts');
      const holder = spawn(process.execPath, [script, temporaryFolder, name], { stdio: ['ignore', 'pipe', 'inherit'] });
      const [line] = (await Promise.race([
        once(createInterface(holder.stdout), 'line'),
        once(holder, 'exit').then(() => Promise.reject(new Error('The holder ended before its browser had started'))),
      ])) as [string];
      holder.kill('SIGKILL');
      await vi.waitUntil(() => listProcesses(Number(line)).length === 0, within);

      const abandoned = await readdir(temporaryFolder);
      expect(abandoned).toHaveLength(1);
      await using next = await open({ pageLoad, temporaryFolder });
      expect(next.processId).not.toBeNull();
      expect(await readdir(temporaryFolder)).not.toContain(abandoned[0]);
    });
  },
);

async function expectNothingLeft(processId: number): Promise<void> {
  // Killed processes are listed until the system has buried them.
  await vi.waitUntil(() => listProcesses(processId).length === 0, within);
  expect(await readdir(temporaryFolder)).toEqual([]);
}

/** The living processes of the browser's group. */
function listProcesses(groupId: number): { pid: number; command: string }[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pgid=,pid=,stat=,args='], { encoding: 'utf8' }).trim().split('\n');
  return lines
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line)!)
    .filter(([, pgid, , state]) => Number(pgid) === groupId && !state!.startsWith('Z'))
    .map(([, , pid, , command]) => ({ pid: Number(pid), command: command! }));
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findFreePort } from '#cli/demo/find-free-port.ts';
import { findBrowser } from '#cli/find-browser.ts';
import { commandOf, hasVariable, listProcesses } from '#tests/support/list-processes.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

const main = path.resolve(import.meta.dirname, '../../../cli/main.ts');

test('dev serves the web UI from its sources before a Controller with a sample, and Ctrl-C leaves no process behind', async () => {
  await using folder = await makeTemporaryFolder();
  const { env: environment, platform } = process;
  const chrome = await findBrowser({
    environment,
    platform,
    homeFolder: folder.path,
    say: console.error,
    signal: AbortSignal.timeout(60_000),
  });
  const port = await findFreePort('127.0.0.1', 18_421);
  const dev = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, 'dev', '--port', String(port)], {
    env: {
      ...environment,
      HTTP_AE_HOME: folder.path,
      HTTP_AE_TEST_HOME: folder.path,
      HTTP_AE_CHROME: chrome,
      DATABASE_URL: '',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void dev.kill('SIGKILL'));
  let printed = '';
  for (const stream of [dev.stdout, dev.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const until = (text: string) => expect.poll(() => printed, { timeout: 60_000 }).toContain(text);

  await until(`http://127.0.0.1:${port}/sign-in#`);
  await until('a sample, has started');
  const page = await (await fetch(`http://127.0.0.1:${port}/`)).text();
  expect(page).toContain('/@vite/client');
  expect(await (await fetch(`http://127.0.0.1:${port}/api/health`)).json()).toMatchObject({ status: 'ok' });

  dev.kill('SIGINT');
  const [exitCode] = (await once(dev, 'exit')) as [number | null];
  expect(exitCode).toBe(0);
  expect(listProcesses((pid) => hasVariable(pid, `HTTP_AE_TEST_HOME=${folder.path}`)).map(commandOf)).toEqual([]);
});

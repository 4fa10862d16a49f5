import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findContainment } from '#agent/processes/scenario-process-runner.ts';
import { findFreePort } from '#tests/support/find-free-port.ts';
import { environment, server, useHeldProcesses } from './use-held-processes.ts';

const { end, fileOf, nextMessage, order, start } = useHeldProcesses();

describe('a process is ready', () => {
  test('when a URL answers with a status below 500, and not before', async () => {
    const port = await findFreePort();
    const readyWhen = { http: `http://127.0.0.1:${port}/` };
    const ports = { ...environment, PORT: String(port) };
    expect(await start(server(404), { environment: ports, readyWhen })).toMatchObject({ problem: null });
    expect(await start(server(503), { environment: ports, readyWhen, timeoutMs: 1_500 })).toMatchObject({
      problem: expect.stringContaining(
        `was not ready within 1500 ms: http://127.0.0.1:${port}/ answers with status 503`,
      ) as unknown,
    });
  });

  test('when it has printed a text, in one piece or in two', async () => {
    const started = await start('printf "one re"; sleep 0.1; printf "ady two"; exec sleep 60', {
      readyWhen: { line: 'ready' },
    });
    expect(started).toMatchObject({ problem: null, output: expect.stringMatching(/^one re/) as unknown });
    expect(await start('echo other; exec sleep 60', { readyWhen: { line: 'ready' }, timeoutMs: 300 })).toMatchObject({
      problem: 'was not ready within 300 ms: it has not printed "ready"',
      output: 'other\n',
    });
  });
});

test('one that takes its time to end is asked once', async () => {
  const program = `exec "$NODE" -e '
    process.on("SIGTERM", () => { console.log("asked"); setTimeout(() => process.exit(), 500); });
    setInterval(() => undefined, 1000);
    console.log("up");
  '`;
  await start(program, { environment, readyWhen: { line: 'up' } });
  const end = { type: 'end-process', processKey: '1/PEP/proxy' } as const;
  order(end);
  await new Promise((resolve) => setTimeout(resolve, 200));
  order(end);
  expect(await nextMessage()).toMatchObject({ type: 'process-ended', output: 'asked\n' });
});

test('one that is asked to end may do so in its own time, and another Run ends what is left of this one', async () => {
  const file = fileOf('ended');
  const graceful = `trap 'sleep 0.3; echo gracefully > ${file}; exit 0' TERM; echo up; while :; do sleep 0.05; done`;
  await start(graceful, { readyWhen: { line: 'up' } });
  await start('exec sleep 60', { processKey: '2/PEP/proxy', runId: '2' });
  expect(await readFile(file, 'utf8')).toBe('gracefully\n');
});

describe.skipIf((await findContainment()).length === 0)('with a PID namespace', () => {
  const daemon = (file: string) => `setsid sh -c 'echo up > ${file}; exec sleep 3456' &`;

  /** How many processes have this argument. */
  async function countSleepers(): Promise<number> {
    const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')));
    return lines.filter((line) => line === 'sleep\u00003456\u0000').length;
  }

  test('daemons end with the process that started them', async () => {
    const file = fileOf('daemon');
    await start(`${daemon(file)} while [ ! -e ${file} ]; do sleep 0.05; done; echo up; exec sleep 60`, {
      readyWhen: { line: 'up' },
    });
    await expect.poll(countSleepers).toBe(1);
    await end();
    expect(await countSleepers()).toBe(0);
  });

  test('all end with an Agent that is killed', async () => {
    const program = fileOf('agent.ts');
    const source = path.resolve(import.meta.dirname, '../../../agent/processes/held-processes.ts');
    const file = fileOf('daemon');
    const command = `${daemon(file)} while [ ! -e ${file} ]; do sleep 0.05; done; echo up; exec sleep 3456`;
    await writeFile(
      program,
      `import { HeldProcesses } from ${JSON.stringify(source)};
       const log = { error: console.error };
       const processes = new HeldProcesses({ send: (message) => process.send(message), log, mayRun: true, launcher: [] });
       processes.handle(${JSON.stringify({ type: 'start-process', processKey: 'k', runId: '1', program: command, environment: {}, readyWhen: { line: 'up' }, timeoutMs: 20_000 })});
       setInterval(() => {}, 1000);`,
    );
    const agent = fork(program);
    onTestFinished(() => void agent.kill('SIGKILL'));
    const [report] = (await once(agent, 'message')) as unknown[];
    expect(report).toMatchObject({ problem: null });
    await expect.poll(countSleepers).toBe(2);
    agent.kill('SIGKILL');
    await expect.poll(countSleepers).toBe(0);
  });
});

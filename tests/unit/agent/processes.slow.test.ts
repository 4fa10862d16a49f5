import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { ProcessDesk } from '#agent/processes/process-desk.ts';
import { launcher } from '#cli/launcher.ts';
import { findContainment } from '#agent/processes/find-containment.ts';
import type { AgentMessage, ControllerMessage } from '#core/protocol/agent-messages.ts';
import { findFreePort } from '#tests/support/find-free-port.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

type StartOrder = Extract<ControllerMessage, { type: 'start-process' }>;

let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>;
let desk: ProcessDesk;
let sent: AgentMessage[];
let wake: () => void;

beforeEach(async () => {
  folder = await makeTemporaryFolder();
  sent = [];
  wake = () => undefined;
  desk = openDesk();
});
afterEach(async () => {
  await desk.close();
  await folder[Symbol.asyncDispose]();
});

function openDesk(mayRun = true) {
  return new ProcessDesk({
    send: (message) => {
      sent.push(message);
      wake();
    },
    log: pino({ level: 'silent' }),
    mayRun,
    launcher,
  });
}

async function nextMessage(): Promise<AgentMessage> {
  while (sent.length === 0) await new Promise<void>((resolve) => (wake = resolve));
  return sent.shift()!;
}

async function ask(order: Parameters<ProcessDesk['handle']>[0]) {
  desk.handle(order);
  return await nextMessage();
}

const start = (command: string, change: Partial<StartOrder> = {}) =>
  ask({
    type: 'start-process',
    processKey: '1/PEP/proxy',
    runId: '1',
    program: command,
    environment: {},
    readyWhen: null,
    timeoutMs: 20_000,
    ...change,
  });
const end = (processKey = '1/PEP/proxy') => ask({ type: 'end-process', processKey });

/** A server that takes a port of its own, and writes it down. */
const server = (status = 200) =>
  `exec "$NODE" -e '
    const server = require("node:http").createServer((request, response) => response.writeHead(${status}).end());
    server.listen(Number(process.env.PORT ?? 0), "127.0.0.1", () => console.log("listens at " + server.address().port));
  '`;
const environment = { NODE: process.execPath };

describe('a process is ready', () => {
  test('when its port accepts connections', async () => {
    const port = await findFreePort();
    const started = await start(`sleep 0.3; ${server()}`, {
      environment: { ...environment, PORT: String(port) },
      readyWhen: { port, address: '127.0.0.1' },
    });
    expect(started).toMatchObject({ type: 'process-started', problem: null });
    expect(await ask({ type: 'check-process', processKey: '1/PEP/proxy' })).toMatchObject({ problem: null });
    expect(await end()).toMatchObject({ type: 'process-ended', problem: null });
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow('fetch failed');
  });

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

  test('never, if it ends before', async () => {
    expect(await start('echo no licence >&2; exit 4', { readyWhen: { line: 'ready' } })).toMatchObject({
      problem: 'ended with status 4',
      output: 'no licence\n',
    });
  });
});

test('one that ends without an order is reported, with its last words', async () => {
  await start('sleep 0.4; echo out of memory; exit 9');
  expect(await nextMessage()).toEqual({
    type: 'process-lost',
    processKey: '1/PEP/proxy',
    problem: 'ended with status 9',
    output: 'out of memory\n',
  });
  expect(await ask({ type: 'check-process', processKey: '1/PEP/proxy' })).toMatchObject({
    problem: 'ended with status 9',
  });
  expect(await end()).toMatchObject({ type: 'process-ended', problem: null });
  expect(await ask({ type: 'check-process', processKey: '1/PEP/proxy' })).toMatchObject({ problem: 'does not run' });
});

test('one that takes its time to end is asked once', async () => {
  const program = `exec "$NODE" -e '
    process.on("SIGTERM", () => { console.log("asked"); setTimeout(() => process.exit(), 500); });
    setInterval(() => undefined, 1000);
    console.log("up");
  '`;
  await start(program, { environment, readyWhen: { line: 'up' } });
  const order = { type: 'end-process', processKey: '1/PEP/proxy' } as const;
  desk.handle(order);
  await new Promise((resolve) => setTimeout(resolve, 200));
  desk.handle(order);
  expect(await nextMessage()).toMatchObject({ type: 'process-ended', output: 'asked\n' });
});

test('one that is asked to end may do so in its own time, and another Run ends what is left of this one', async () => {
  const file = path.join(folder.path, 'ended');
  const graceful = `trap 'sleep 0.3; echo gracefully > ${file}; exit 0' TERM; echo up; while :; do sleep 0.05; done`;
  await start(graceful, { readyWhen: { line: 'up' } });
  await start('exec sleep 60', { processKey: '2/PEP/proxy', runId: '2' });
  expect(await readFile(file, 'utf8')).toBe('gracefully\n');
});

test('an order to end does not wait until the process is ready', async () => {
  const startMs = performance.now();
  desk.handle({
    type: 'start-process',
    processKey: '1/PEP/proxy',
    runId: '1',
    program: 'exec sleep 60',
    environment: {},
    readyWhen: { line: 'never' },
    timeoutMs: 60_000,
  });
  await new Promise((resolve) => setTimeout(resolve, 200));
  desk.handle({ type: 'end-process', processKey: '1/PEP/proxy' });
  expect(await nextMessage()).toMatchObject({ type: 'process-started', problem: 'was ended by SIGTERM' });
  expect(await nextMessage()).toMatchObject({ type: 'process-ended', problem: null });
  expect(performance.now() - startMs).toBeLessThan(20_000);
});

test('an Agent without --allow-scripts starts none', async () => {
  const started = path.join(folder.path, 'started');
  await desk.close();
  desk = openDesk(false);
  expect(await start(`touch ${started}`)).toMatchObject({
    problem: 'was not started: this Agent runs without --allow-scripts',
  });
  await expect(readFile(started)).rejects.toThrow('ENOENT');
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
    const file = path.join(folder.path, 'daemon');
    await start(`${daemon(file)} while [ ! -e ${file} ]; do sleep 0.05; done; echo up; exec sleep 60`, {
      readyWhen: { line: 'up' },
    });
    await expect.poll(countSleepers).toBe(1);
    await end();
    expect(await countSleepers()).toBe(0);
  });

  test('all end with an Agent that is killed', async () => {
    const program = path.join(folder.path, 'agent.ts');
    const source = path.resolve(import.meta.dirname, '../../../agent/processes/process-desk.ts');
    const file = path.join(folder.path, 'daemon');
    const command = `${daemon(file)} while [ ! -e ${file} ]; do sleep 0.05; done; echo up; exec sleep 3456`;
    await writeFile(
      program,
      `import { ProcessDesk } from ${JSON.stringify(source)};
       const log = { error: console.error };
       const desk = new ProcessDesk({ send: (message) => process.send(message), log, mayRun: true, launcher: [] });
       desk.handle(${JSON.stringify({ type: 'start-process', processKey: 'k', runId: '1', program: command, environment: {}, readyWhen: { line: 'up' }, timeoutMs: 20_000 })});
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

test('an Agent without --allow-scripts runs HTTPEP at an address of a testbed, and nowhere else', async () => {
  await desk.close();
  desk = openDesk(false);
  const program = {
    end: 'remote' as const,
    key: 'k'.repeat(44),
    ground: '127.0.0.1:9',
    connections: 1,
    clients: ['127.0.0.1'],
    tlsKey: null,
  };
  expect(await start('', { program: { ...program, listen: '127.0.0.1:0' } })).toMatchObject({
    problem: 'was not started: this Agent runs without --allow-scripts',
  });
  // Outside a testbed there is no such address.
  expect(
    await start('', { program: { ...program, listen: '198.19.0.2:3128' }, readyWhen: { line: 'Listening' } }),
  ).toMatchObject({ problem: 'ended with status 1', output: expect.stringContaining('198.19.0.2') as unknown });
});

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { findFreePort } from '#tests/support/find-free-port.ts';
import { environment, server, useHeldProcesses } from './use-held-processes.ts';

const { ask, end, fileOf, forbidScripts, nextMessage, order, start } = useHeldProcesses();

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

  test('when it has printed a text, in one piece or in two', async () => {
    const started = await start('printf "one re"; sleep 0.1; printf "ady two"; exec sleep 60', {
      readyWhen: { line: 'ready' },
    });
    expect(started).toMatchObject({ problem: null, output: expect.stringMatching(/^one re/) as unknown });
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

test('an order to end does not wait until the process is ready', async () => {
  const file = fileOf('runs');
  const isReady = start(`echo > ${file}; exec sleep 600`, { readyWhen: { line: 'never' }, timeoutMs: 600_000 });
  await expect.poll(() => existsSync(file)).toBe(true);
  order({ type: 'end-process', processKey: '1/PEP/proxy' });
  expect(await isReady).toMatchObject({ type: 'process-started', problem: 'was ended by SIGTERM' });
  expect(await nextMessage()).toMatchObject({ type: 'process-ended', problem: null });
});

test('one whose end is ordered before it was started is not started', async () => {
  const file = fileOf('runs');
  const isReady = start(`echo > ${file}; exec sleep 600`, { readyWhen: { line: 'never' }, timeoutMs: 600_000 });
  order({ type: 'end-process', processKey: '1/PEP/proxy' });
  expect(await isReady).toMatchObject({ type: 'process-started', problem: 'was ended before it was started' });
  expect(await nextMessage()).toMatchObject({ type: 'process-ended', problem: null });
  expect(existsSync(file)).toBe(false);
  expect(await start('exec sleep 600')).toMatchObject({ problem: null });
});

test('one that the system cannot start is answered with the reason', async () => {
  const started = await start('true', { environment: { NAME: 'a\0b' } });
  expect(started).toMatchObject({
    type: 'process-started',
    problem: expect.stringMatching(/^could not be handled by its Agent: .*null bytes/s) as unknown,
  });
  expect(await end()).toMatchObject({ type: 'process-ended', problem: null });
});

test('an Agent without --allow-scripts starts none', async () => {
  const started = fileOf('started');
  await forbidScripts();
  expect(await start(`touch ${started}`)).toMatchObject({
    problem: 'was not started: this Agent runs without --allow-scripts',
  });
  await expect(readFile(started)).rejects.toThrow('ENOENT');
});

test('an Agent without --allow-scripts runs HTTPEP at an address of a testbed, and nowhere else', async () => {
  await forbidScripts();
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

import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import pino from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HeldScript } from '#agent/scripts/held-script.ts';
import type { AgentMessage } from '#core/protocol/agent-messages.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>;
let said: AgentMessage[];
let script: HeldScript;
beforeEach(async () => {
  folder = await makeTemporaryFolder();
  said = [];
  script = new HeldScript({ send: (message) => said.push(message), log: pino({ level: 'silent' }), mayRun: true });
});
afterEach(async () => {
  await script.close();
  await folder[Symbol.asyncDispose]();
});

const fileOf = (name: string) => path.join(folder.path, name);
const order = (text: string, environment: Record<string, string> = {}) => {
  const orderId = randomUUID();
  script.run({ type: 'run-script', orderId, script: text, timeoutMs: 600_000, environment });
  return orderId;
};
const answers = (count: number) => expect.poll(() => said, { timeout: 30_000 }).toHaveLength(count);

test('a script ends before the next one begins: its Controller waits no longer for it', async () => {
  const first = order(`touch ${fileOf('begun')}; sleep 600; touch ${fileOf('over')}`);
  await expect.poll(() => existsSync(fileOf('begun')), { timeout: 30_000 }).toBe(true);
  const never = order('echo never');
  const last = order(`test ! -e ${fileOf('over')}; echo last`);
  await answers(3);
  expect(said).toMatchObject([
    { type: 'script-ended', orderId: first, exitCode: null, isTimedOut: false },
    { orderId: never, exitCode: null, output: 'It was ended, or another script was ordered, before it began' },
    { orderId: last, exitCode: 0, output: 'last\n' },
  ]);
});

test('one that the system cannot start is answered with the reason', async () => {
  const orderId = order('true', { NAME: 'a\0b' });
  await answers(1);
  expect(said).toMatchObject([{ orderId, exitCode: null, output: expect.stringContaining('null bytes') as unknown }]);
});

test('a script that its Controller ends is over, with what it started, and no other is', async () => {
  const ended = order(`sleep 600 & touch ${fileOf('begun')}; wait; touch ${fileOf('over')}`);
  await expect.poll(() => existsSync(fileOf('begun')), { timeout: 30_000 }).toBe(true);
  script.end(randomUUID());
  script.end(ended);
  await answers(1);
  expect(said).toMatchObject([{ type: 'script-ended', orderId: ended, exitCode: null, isTimedOut: false }]);
  expect(existsSync(fileOf('over'))).toBe(false);
  const next = order('echo next');
  script.end(ended);
  await answers(2);
  expect(said[1]).toMatchObject({ orderId: next, exitCode: 0, output: 'next\n' });
});

test('an Agent that stops ends the script, and runs no more', async () => {
  order(`touch ${fileOf('begun')}; sleep 600`);
  await expect.poll(() => existsSync(fileOf('begun')), { timeout: 30_000 }).toBe(true);
  await script.close();
  order(`touch ${fileOf('ran')}`);
  await answers(2);
  expect(said).toMatchObject([{ exitCode: null }, { exitCode: null, output: 'This Agent is stopping' }]);
  expect(existsSync(fileOf('ran'))).toBe(false);
});

import { beforeEach, expect, test } from 'vitest';
import { PassRunner } from '#core/agent/pass-runner.ts';
import type { AgentMessage } from '#core/protocol/agent-messages.ts';
import type { PassOrder } from '#core/protocol/pass-order.ts';
import { openClock } from '#tests/support/answering-clock.ts';
import { HeldTime, settle } from '#tests/support/held-time.ts';

let time: HeldTime;
let sent: AgentMessage[];
/** What the Pass does once it has started; in step, it then waits for its second Visit. */
let load: PromiseWithResolvers<void>;
let started: PromiseWithResolvers<void>;
let isClosed: boolean;
beforeEach(() => {
  [time, sent, isClosed] = [new HeldTime(), [], false];
  [started, load] = [Promise.withResolvers(), Promise.withResolvers()];
});

function begin(): PassRunner {
  const runner = new PassRunner({ passId: 'a', userAgent: 'alice', isInStep: true } as PassOrder, {
    clock: openClock(),
    send: (message) => sent.push(message),
    make: async (pass) => {
      try {
        await pass.awaitStart();
        started.resolve();
        await load.promise;
        await pass.awaitVisit(1);
        return { kind: 'absent', reason: 'not looked at' };
      } finally {
        isClosed = true;
      }
    },
    readOffset: () => ({ offsetMs: 0, errorMs: 0 }),
    takeTurns: () => Promise.resolve(),
    logLoss: () => undefined,
    sleep: time.sleep,
  });
  void runner.run();
  return runner;
}

const lost = {
  type: 'pass-lost',
  passId: 'a',
  problem: 'alice: The line to the Controller was broken for 60 s',
};

async function isLost(runner: PassRunner): Promise<void> {
  await settle();
  expect([runner.state, isClosed, sent.at(-1), time.sleeperCount]).toEqual(['lost', true, lost, 0]);
}

test('a Pass that waits for its start ends a minute after its Controller is lost, and closes what it has opened', async () => {
  const runner = begin();
  runner.handleDisconnect();
  await time.pass(59_999);
  expect(isClosed).toBe(false);
  await time.pass(1);
  await isLost(runner);
});

test('a break of the line that is shorter ends nothing, though more come', async () => {
  const runner = begin();
  for (let broken = 0; broken < 3; broken++) {
    runner.handleDisconnect();
    await time.pass(40_000);
    runner.handleConnect();
  }
  expect([isClosed, time.sleeperCount]).toEqual([false, 0]);
  runner.cancel('The Round is over');
});

test('tries to connect that fail do not lengthen the wait', async () => {
  const runner = begin();
  runner.handleDisconnect();
  await time.pass(30_000);
  runner.handleDisconnect();
  await time.pass(30_000);
  await isLost(runner);
});

test('a Pass that loads a page goes on, and in step ends before its next Visit', async () => {
  const runner = begin();
  runner.startAt(0);
  await started.promise;
  runner.handleDisconnect();
  await time.pass(600_000);
  expect([runner.state, isClosed]).toEqual(['running', false]);
  load.resolve();
  await isLost(runner);
});

import { EventEmitter } from 'node:events';
import pino from 'pino';
import { beforeEach, expect, test } from 'vitest';
import { putBack } from '#controller/coordinator/execute-round.ts';
import type { RunContext } from '#controller/coordinator/run-context.ts';
import { applyNetwork } from '#controller/coordinator/apply-network.ts';
import { runScripts } from '#controller/coordinator/run-scripts.ts';
import { ScenarioProcesses } from '#controller/coordinator/scenario-processes.ts';
import { NetworkSchema } from '#core/evaluation/network/network.ts';
import { ScenarioSchema } from '#core/evaluation/scenarios/scenario.ts';
import type { ControllerMessage } from '#core/protocol/agent-messages.ts';
import { HeldTime, settle } from '../../../support/held-time.ts';
import { makeEvaluation } from '../../../support/sample-evaluation.ts';

const scenario = ScenarioSchema.parse({
  name: 'proxy',
  tearDown: ['ground', 'remote'].map((host) => ({ host, script: 'true' })),
});

let time: HeldTime;
let connected: Set<string>;
let leaving: AbortController;
/** The hosts whose tear-down script ran, in order. */
let ran: string[];
let end: string | null;
beforeEach(() => {
  time = new HeldTime();
  [connected, leaving, ran, end] = [new Set(['ground']), new AbortController(), [], null];
});

/** Hosts that run each script at once, as far as they are there. */
function begin(): { come: (host: string) => Promise<void> } {
  const hub = Object.assign(new EventEmitter(), {
    isConnected: (name: string) => connected.has(name),
    factsOf: () => null,
    send: (name: string, message: ControllerMessage) => {
      if (message.type !== 'run-script') return;
      ran.push(name);
      const { orderId } = message;
      const answer = { type: 'script-ended', orderId, exitCode: 0, isTimedOut: false, durationMs: 1, output: '' };
      queueMicrotask(() => hub.emit('message', name, answer));
    },
  });
  const context = {
    run: { id: '7', evaluation: makeEvaluation() },
    hub,
    store: () => Promise.resolve(),
    lookForAgents: () => Promise.resolve(),
    notify: () => undefined,
    signal: new AbortController().signal,
    leaving: leaving.signal,
    time,
    log: pino({ level: 'silent' }),
  } as unknown as RunContext;
  const processes = new ScenarioProcesses(context, { roundId: 'a', scenario });
  putBack(context, { roundId: 'a', scenario, processes }).then(
    () => (end = 'done'),
    (error: unknown) => (end = (error as Error).message),
  );
  return {
    come: async (host) => {
      connected.add(host);
      hub.emit('connected', host);
      await settle();
    },
  };
}

test('a host whose line is broken as a Round ends has a minute to come back, and is put back then', async () => {
  const { come } = begin();
  await time.pass(59_000);
  expect([ran, end]).toEqual([[], null]);
  await come('remote');
  expect([ran, end, time.sleeperCount]).toEqual([['ground', 'remote'], 'done', 0]);
});

test.each([
  ['stays away', () => time.pass(60_000)],
  [
    'is not waited for by a Controller that ends',
    () => Promise.resolve().then(() => leaving.abort(new Error('shut down'))),
  ],
])('a host that %s keeps no other from being put back', async (_, play) => {
  begin();
  await play();
  await settle();
  expect([ran, end]).toEqual([
    ['ground'],
    'The tear-down script of "proxy" on host "remote" did not run: Agent "remote" is not connected',
  ]);
});

test('a Run that is to stop ends the script that runs, stores it, and says that it was stopped', async () => {
  const [stop, sent, stored] = [new AbortController(), [] as ControllerMessage[], [] as unknown[]];
  const hub = Object.assign(new EventEmitter(), {
    isConnected: () => true,
    factsOf: () => null,
    send: (name: string, message: ControllerMessage) => {
      sent.push(message);
      if (message.type !== 'end-script') return;
      const { orderId } = message;
      const answer = { type: 'script-ended', orderId, exitCode: null, isTimedOut: false, durationMs: 1, output: '' };
      queueMicrotask(() => hub.emit('message', name, answer));
    },
  });
  const context = {
    run: { id: '7', evaluation: makeEvaluation() },
    hub,
    store: (work: unknown) => Promise.resolve(stored.push(work)),
    notify: () => undefined,
    signal: stop.signal,
    time,
    log: pino({ level: 'silent' }),
  } as unknown as RunContext;
  const setUp = ['ground', 'remote'].map((host) => ({ host, script: 'sleep 600', timeoutMs: 600_000 }));
  const order = { roundId: 'a', scenario: ScenarioSchema.parse({ name: 'proxy', setUp }), phase: 'set-up' } as const;
  const ran = runScripts(context, order);
  await settle();
  expect(sent).toMatchObject([{ type: 'run-script' }]);
  stop.abort(new Error('The evaluator stopped the Run'));
  await expect(ran).rejects.toThrow('The evaluator stopped the Run');
  expect(sent.map(({ type }) => type)).toEqual(['run-script', 'end-script']);
  expect([stored.length, time.sleeperCount]).toEqual([1, 0]);
});

test('a Run that is to stop ends the network that is being set, and waits until its host says so', async () => {
  const [stop, sent] = [new AbortController(), [] as Extract<ControllerMessage, { type: 'apply-network' }>[]];
  const hub = Object.assign(new EventEmitter(), {
    isConnected: () => true,
    factsOf: () => null,
    send: (_: string, message: ControllerMessage) => message.type === 'apply-network' && sent.push(message),
  });
  const context = {
    run: { id: '7', evaluation: makeEvaluation() },
    hub,
    store: () => Promise.resolve(),
    signal: stop.signal,
    time,
  } as unknown as RunContext;
  const network = NetworkSchema.parse({ host: 'ground', link: 'none' });
  let outcome: string | null = null;
  applyNetwork(context, { id: 'a', scenario: ScenarioSchema.parse({ name: 'far', network }), plan: null }).catch(
    (error: unknown) => (outcome = (error as Error).message),
  );
  await settle();
  stop.abort(new Error('The evaluator stopped the Run'));
  await settle();
  expect([sent.map((order) => order.network === null), outcome]).toEqual([[false, true], null]);
  for (const { orderId } of sent.toReversed())
    hub.emit('message', 'ground', { type: 'network-applied', orderId, problem: 'ended', check: null, fault: null });
  await settle();
  expect([outcome, time.sleeperCount]).toEqual(['The evaluator stopped the Run', 0]);
});

test('nothing is waited for where all hosts are there', async () => {
  connected.add('remote');
  begin();
  await settle();
  expect([ran, end]).toEqual([['ground', 'remote'], 'done']);
});

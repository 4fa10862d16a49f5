import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { epochClock } from '#core/clock/epoch-clock.ts';
import type { AgentMessage } from '#core/protocol/agent-messages.ts';
import type { PassOrder } from '#core/protocol/pass-order.ts';
import { holdAgent, type HeldAgent } from './hold-agent.ts';

type Message<T extends AgentMessage['type']> = Extract<AgentMessage, { type: T }>;

/** For each test of the file, an Agent on a line that can be broken, and a server of a page that does not end. */
export function useHeldAgent() {
  vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 }); // it starts processes
  let agent: HeldAgent;
  let pages: Server;
  let release: () => void;
  const held = {
    url: '',
    /** What happened at the page that does not end, and in the Passes, in order. */
    events: [] as string[],
    get agent() {
      return agent;
    },
    /** Ends the page. */
    release: () => release(),
    within: { timeout: 110_000, interval: 10 },
    /** Lets time pass on the line until this holds. */
    passUntil: async (holds: () => boolean) => {
      const look = async () => {
        await agent.time.pass(200);
        return holds();
      };
      await expect.poll(look, held.within).toBe(true);
    },
    /** Resolves with what the Agent says of this, or has said. */
    hear: async <T extends AgentMessage['type']>(type: T, isMeant: (message: Message<T>) => boolean = () => true) => {
      const find = () =>
        agent.said.find((message): message is Message<T> => message.type === type && isMeant(message as Message<T>));
      await held.passUntil(() => find() !== undefined);
      return find()!;
    },
    hearOf: (type: 'pass-ready' | 'pass-ended', { passId }: PassOrder) =>
      held.hear(type, (message) => message.passId === passId),
    prepare: async (order: PassOrder) => {
      agent.send({ type: 'prepare-pass', order });
      await held.hearOf('pass-ready', order);
      held.events.push('ready');
    },
    start: ({ passId }: PassOrder) => agent.send({ type: 'start-pass', passId, startEpochMs: epochClock() }),
    /** Resolves when the Agent has taken in all that was sent to it before: it says at once that it runs no scripts. */
    obeyed: async () => {
      const orderId = randomUUID();
      agent.send({ type: 'run-script', orderId, script: '', timeoutMs: 1000, environment: {} });
      await held.hear('script-ended', (message) => message.orderId === orderId);
    },
    /** As a Controller that was started again: resolves when the Agent has said hello to it. */
    letIn: async () => {
      const heard = agent.said.length;
      agent.resume();
      await held.passUntil(() => agent.said.length > heard);
      return agent.said[heard] as Message<'hello'>;
    },
    /** The Controller is killed and started again. */
    restartController: () => {
      agent.break();
      return held.letIn();
    },
  };

  beforeEach(async () => {
    held.events = [];
    pages = createServer((request, response) => {
      if (request.url !== '/held') return void response.end('<title>Good</title>');
      held.events.push('asked');
      response.on('close', () => held.events.push('left'));
      release = () => response.end('<title>Late</title>');
    });
    await once(pages.listen(0, '127.0.0.1'), 'listening');
    held.url = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
    agent = await holdAgent();
    await held.hear('hello');
  });
  afterEach(async () => {
    await agent[Symbol.asyncDispose]();
    pages.closeAllConnections();
    pages.close();
  });
  return held;
}

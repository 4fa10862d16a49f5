import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { pino } from 'pino';
import type { LookForEngine } from '#agent/engines/engine.ts';
import { runAgent } from '#agent/run-agent.ts';
import { launcher } from '#cli/installation.ts';
import { AgentHub } from '#controller/agents/agent-hub.ts';
import { BrowserSettingsSchema } from '#core/evaluation/browser/browser-settings.ts';
import { PageLoadSchema } from '#core/evaluation/pages/page-load.ts';
import type { AgentMessage, ControllerMessage } from '#core/protocol/agent-messages.ts';
import type { PassOrder } from '#core/protocol/pass-order.ts';
import { HeldTime } from '../../support/held-time.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

export interface HeldAgent extends AsyncDisposable {
  /** What it said, hello first, over all its lines. */
  said: AgentMessage[];
  /** What its log says. */
  logged: string[];
  /** How often it has tried to connect where nobody let it in. */
  knocks: number;
  /** That of its line, and of its clock. */
  time: HeldTime;
  send(message: ControllerMessage): void;
  /** As a Controller that is killed: the line breaks without a word, and no other is let in until `resume`. */
  break(): void;
  /** As a Controller that was started again. */
  resume(): void;
}

/** A real Agent with the http engine, on the line of a real hub. */
export async function holdAgent({
  allowAnyPreference,
  lookForEngine,
}: { allowAnyPreference?: boolean; lookForEngine?: LookForEngine } = {}): Promise<HeldAgent> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await makeTemporaryFolder());
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  stack.defer(async () => {
    server.close();
    await once(server, 'close');
  });
  const ending = new AbortController();
  const log = pino(
    { level: 'debug' },
    { write: (line) => void held.logged.push((JSON.parse(line) as { msg: string }).msg) },
  );
  let hub: AgentHub;
  const held: Omit<HeldAgent, typeof Symbol.asyncDispose> = {
    said: [],
    logged: [],
    knocks: 0,
    time: new HeldTime(),
    send: (message) => hub.send('laptop', message),
    break: () => {
      server.removeAllListeners('upgrade').on('upgrade', (_request, socket: Duplex) => {
        held.knocks++;
        socket.destroy();
      });
      hub.close();
    },
    resume: () => {
      hub = new AgentHub({
        controllerVersion: '0',
        verifyToken: () => Promise.resolve('1'),
        recordAgent: () => Promise.resolve(1),
        // Often, as the test lets time pass faster on the line.
        pingEveryMs: 100,
        log: pino({ level: 'silent' }),
      });
      hub.on('connected', (_, hello) => held.said.push(hello));
      hub.on('message', (_, message) => held.said.push(message));
      hub.attach(server.removeAllListeners('upgrade'));
    },
  };
  held.resume();
  stack.defer(() => hub.close());
  const controllerUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const over = runAgent({
    controllerUrl,
    token: 'right',
    name: 'laptop',
    allowScripts: false,
    allowAnyPreference,
    homeFolder: folder.path,
    agentVersion: '0',
    launcher,
    chromePath: null,
    lookForEngine,
    sleep: held.time.sleep,
    log,
    signal: ending.signal,
  });
  stack.defer(async () => {
    ending.abort();
    await over;
  });
  const owned = stack.move();
  return Object.assign(held, { [Symbol.asyncDispose]: () => owned.disposeAsync() });
}

export function makeOrder({ roundId, url }: { roundId: string; url: string }): PassOrder {
  const pageLoad = PageLoadSchema.parse({ restMs: 0, quietMs: 50 });
  const visits = [{ url, repetition: 1 }];
  return {
    passId: randomUUID(),
    runId: '1',
    roundId,
    scenario: 'direct',
    userAgent: 'alice',
    engine: 'http',
    pageLoad,
    browser: BrowserSettingsSchema.parse({}),
    capture: null,
    visits,
  };
}

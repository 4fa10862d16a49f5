import pino from 'pino';
import { afterEach, beforeEach } from 'vitest';
import { HeldProcesses } from '#agent/processes/held-processes.ts';
import { launcher } from '#cli/installation.ts';
import type { AgentMessage, ControllerMessage } from '#core/protocol/agent-messages.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

type StartOrder = Extract<ControllerMessage, { type: 'start-process' }>;

/** The processes held for each test of the file, and what it says. */
export function useHeldProcesses() {
  let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>;
  let processes: HeldProcesses;
  let sent: AgentMessage[];
  let wake: () => void;

  const open = (mayRun: boolean) => {
    processes = new HeldProcesses({
      send: (message) => {
        sent.push(message);
        wake();
      },
      log: pino({ level: 'silent' }),
      mayRun,
      launcher,
    });
  };
  beforeEach(async () => {
    folder = await makeTemporaryFolder();
    sent = [];
    wake = () => undefined;
    open(true);
  });
  afterEach(async () => {
    await processes.close();
    await folder[Symbol.asyncDispose]();
  });

  const order = (message: Parameters<HeldProcesses['handle']>[0]) => processes.handle(message);
  const nextMessage = async (): Promise<AgentMessage> => {
    while (sent.length === 0) await new Promise<void>((resolve) => (wake = resolve));
    return sent.shift()!;
  };
  const ask = (message: Parameters<HeldProcesses['handle']>[0]) => {
    order(message);
    return nextMessage();
  };
  return {
    /** A file of the test's own folder. */
    fileOf: (name: string) => `${folder.path}/${name}`,
    order,
    nextMessage,
    ask,
    start: (command: string, change: Partial<StartOrder> = {}) =>
      ask({
        type: 'start-process',
        processKey: '1/PEP/proxy',
        runId: '1',
        program: command,
        environment: {},
        readyWhen: null,
        timeoutMs: 20_000,
        ...change,
      }),
    end: (processKey = '1/PEP/proxy') => ask({ type: 'end-process', processKey }),
    /** Opens another, of an Agent without `--allow-scripts`. */
    forbidScripts: async () => {
      await processes.close();
      open(false);
    },
  };
}

/** A server that takes a port of its own, and writes it down. */
export const server = (status = 200) =>
  `exec "$NODE" -e '
    const server = require("node:http").createServer((request, response) => response.writeHead(${status}).end());
    server.listen(Number(process.env.PORT ?? 0), "127.0.0.1", () => console.log("listens at " + server.address().port));
  '`;
export const environment = { NODE: process.execPath };

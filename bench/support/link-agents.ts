import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import type { Engine } from '#agent/engines/engine.ts';
import { ControllerLink } from '#agent/link/controller-link.ts';
import { PassDesk } from '#agent/passes/pass-desk.ts';
import { CaptureSpool } from '#agent/spool/capture-spool.ts';
import { openSpoolDatabase } from '#agent/spool/open-spool-database.ts';
import { PictureSpool } from '#agent/spool/picture-spool.ts';
import { VisitSpool } from '#agent/spool/visit-spool.ts';
import { VisitUploader } from '#core/agent/visit-uploader.ts';
import { ControllerClock } from '#core/clock/controller-clock.ts';
import { epochClock } from '#core/clock/epoch-clock.ts';
import { protocolVersion, type ControllerMessage } from '#core/protocol/agent-messages.ts';
import { makeSnapshot } from '#tests/support/make-snapshot.ts';
import { hostFacts } from '#tests/support/sample-host-facts.ts';

/** What `parallel-runs.ts` has a process of its own do: Agents with the link, clock, Passes, spool and uploads of real ones, each as if on a machine of its own. */
export interface LinkAgents {
  url: string;
  token: string;
  names: string[];
  folder: string;
}

const { url, token, names, folder } = JSON.parse(process.argv[2]!) as LinkAgents;
const log = pino({ level: 'error' }, pino.destination(2));
const ending = new AbortController();
process.once('disconnect', () => ending.abort());

/** In the place of a browser: it fetches the document, which takes as long as the origin takes. */
const fetchingEngine: Engine = {
  name: 'http',
  browserVersion: 'bench/1',
  open: () =>
    Promise.resolve({
      browserVersion: 'bench/1',
      processId: null,
      prepare: () => Promise.resolve(),
      visit: async ({ url: page, signal, onNavigate }) => {
        onNavigate?.(epochClock());
        const startMs = performance.now();
        await (await fetch(page, { signal })).text();
        return { status: 'ok', snapshot: makeSnapshot({ url: page, totalMs: performance.now() - startMs }) };
      },
      [Symbol.asyncDispose]: () => Promise.resolve(),
    }),
};

async function holdAgent(name: string): Promise<void> {
  const { signal } = ending;
  const database = openSpoolDatabase(':memory:');
  const spool = new VisitSpool(database);
  const own = path.join(folder, name);
  const facts = { ...hostFacts, hostname: name, machineId: name, engines: [{ engine: 'http' as const, version: '1' }] };
  const link = new ControllerLink({
    controllerUrls: [url],
    token,
    hello: () => ({ type: 'hello', protocolVersion, agentVersion: '0', name, facts, passes: desk.list() }),
    log,
    signal,
  });
  const send = link.send.bind(link);
  const clock: ControllerClock = new ControllerClock({
    epochClock,
    resolutionMs: 0,
    sleep: (durationMs, stop) => sleep(durationMs, undefined, { signal: stop, ref: false }),
    random: Math.random,
    request: (agentEpochMs) => send({ type: 'clock-request', agentEpochMs }),
    mustRest: () => desk.isLoading,
    onReport: (offset) => send({ type: 'clock-read', ...offset }),
  });
  const desk: PassDesk = new PassDesk({
    agent: name,
    isAnyPreferenceAllowed: false,
    engines: new Map([['http', fetchingEngine]]),
    spool,
    captureSpool: new CaptureSpool(database, path.join(own, 'traces')),
    pictureSpool: new PictureSpool(path.join(own, 'pictures')),
    controllerUrls: [url],
    clock,
    send,
    log,
  });
  const uploader = new VisitUploader(spool, {
    send,
    mustWait: () => !link.isConnected || desk.isMeasuring,
    warn: (message) => log.error(message),
  });
  const handle: {
    [Type in ControllerMessage['type']]?: (message: Extract<ControllerMessage, { type: Type }>) => void;
  } = {
    welcome: () => void uploader.announce(),
    'prepare-pass': ({ order }) => desk.prepare(order),
    'start-pass': (message) => desk.handle(message),
    'cancel-pass': (message) => desk.handle(message),
    'clock-reply': (message) => clock.handleReply(message),
    'upload-visits': () => void uploader.uploadNext(),
    'visits-stored': ({ visitIds }) => void uploader.handleStored(visitIds),
  };
  link.on('message', (message) =>
    (handle[message.type] as ((message: ControllerMessage) => void) | undefined)?.(message),
  );
  link.on('connected', () => clock.handleConnect());
  link.on('disconnected', () => {
    clock.handleDisconnect();
    uploader.handleDisconnect();
  });
  await link.run();
  await desk.close('The bench is over');
}

await Promise.all(names.map(holdAgent));

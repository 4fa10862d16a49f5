import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import type { Engine, VisitRequest } from '#agent/engines/engine.ts';
import { ControllerLink } from '#agent/controller-link.ts';
import { HeldPasses } from '#agent/held-passes.ts';
import { CaptureSpool } from '#agent/spool/capture-spool.ts';
import { openSpoolDatabase } from '#agent/spool/open-spool-database.ts';
import { PictureSpool } from '#agent/spool/picture-uploader.ts';
import { VisitSpool } from '#agent/spool/visit-spool.ts';
import { VisitUploader } from '#core/agent/visit-uploader.ts';
import { ControllerClock } from '#core/clock/controller-clock.ts';
import { epochClock } from '#core/clock/epoch-clock.ts';
import type { VisitOutcome } from '#core/protocol/visit.ts';
import { protocolVersion, type ControllerMessage } from '#core/protocol/agent-messages.ts';
import type { Snapshot } from '#core/metrics/snapshot.ts';
import { makeSnapshot } from '#tests/support/make-snapshot.ts';
import { hostFacts } from '#tests/support/sample-host-facts.ts';
import { makeSizedSnapshot } from './sized-snapshot.ts';

/** What `startLinkAgents` has a process of its own do: Agents with the link, clock, Passes, spool and uploads of real ones, each as if on a machine of its own. */
export interface LinkAgents {
  urls: string[];
  token: string;
  names: string[];
  folder: string;
  /** Null: a Visit fetches its document. Otherwise it ends at once, with a stored Snapshot of that size. */
  snapshotBytes: number | null;
}

/** What the Agents answer to any message. */
export interface OrderCounts {
  /** Passes and scripts that began a second time. */
  begunAgain: number;
  /** How often the Controller was asked for its time. */
  clockRequests: number;
}

const { urls, token, names, folder, snapshotBytes } = JSON.parse(process.argv[2]!) as LinkAgents;
const log = pino({ level: 'error' }, pino.destination(2));
const ending = new AbortController();
const connected = new Set<string>();
process.once('disconnect', () => ending.abort());
const begun = new Set<string>();
let begunAgain = 0;
let clockRequests = 0;
process.on('message', () => process.send!({ begunAgain, clockRequests } satisfies OrderCounts));

const visit = snapshotBytes === null ? fetchDocument : takeStored(makeSizedSnapshot(snapshotBytes));

/** In the place of a browser. */
const engine: Engine = {
  name: 'http',
  browserVersion: 'bench/1',
  open: () =>
    Promise.resolve({
      browserVersion: 'bench/1',
      processId: null,
      prepare: () => Promise.resolve(),
      visit: (request) => {
        request.onNavigate?.(epochClock());
        return visit(request);
      },
      [Symbol.asyncDispose]: () => Promise.resolve(),
    }),
};

/** It takes as long as the origin takes. */
async function fetchDocument({ url, signal }: VisitRequest): Promise<VisitOutcome> {
  const startMs = performance.now();
  await (await fetch(url, { signal })).text();
  return { status: 'ok', snapshot: makeSnapshot({ url, totalMs: performance.now() - startMs }) };
}

function takeStored(snapshot: Snapshot): () => Promise<VisitOutcome> {
  return () => Promise.resolve({ status: 'ok', snapshot });
}

function noteBegun(id: string): void {
  if (begun.size === begun.add(id).size) begunAgain++;
}

async function holdAgent(name: string): Promise<void> {
  const { signal } = ending;
  const database = openSpoolDatabase(':memory:');
  const spool = new VisitSpool(database);
  const own = path.join(folder, name);
  const facts = {
    ...hostFacts,
    hostname: name,
    machineId: name,
    scriptsAllowed: true,
    engines: [{ engine: 'http' as const, version: '1' }],
  };
  const link = new ControllerLink({
    controllerUrls: urls,
    token,
    hello: () => ({ type: 'hello', protocolVersion, agentVersion: '0', name, facts, passes: passes.list() }),
    log,
    signal,
  });
  const send = link.send.bind(link);
  const clock: ControllerClock = new ControllerClock({
    epochClock,
    resolutionMs: 0,
    sleep: (durationMs, stop) => sleep(durationMs, undefined, { signal: stop, ref: false }),
    random: Math.random,
    request: (agentEpochMs) => {
      clockRequests++;
      send({ type: 'clock-request', agentEpochMs });
    },
    mustRest: () => passes.isLoading,
    onReport: (offset) => send({ type: 'clock-read', ...offset }),
  });
  const passes: HeldPasses = new HeldPasses(
    {
      agent: name,
      isAnyPreferenceAllowed: false,
      engines: new Map([['http', engine]]),
      spool,
      captureSpool: new CaptureSpool(database, path.join(own, 'traces')),
      pictureSpool: new PictureSpool(path.join(own, 'pictures')),
      controllerUrls: urls,
      clock,
      send,
      log,
    },
    () => undefined,
  );
  const uploader = new VisitUploader(spool, {
    send,
    mustWait: () => !link.isConnected || passes.isMeasuring,
    warn: (message) => log.error(message),
  });
  const handle: {
    [Type in ControllerMessage['type']]?: (message: Extract<ControllerMessage, { type: Type }>) => void;
  } = {
    welcome: () => void uploader.announce(),
    'prepare-pass': ({ order }) => {
      // One that is held already is not begun again.
      if (!passes.list().some(({ passId }) => passId === order.passId)) noteBegun(order.passId);
      passes.prepare(order);
    },
    'run-script': ({ orderId }) => {
      noteBegun(orderId);
      send({ type: 'script-ended', orderId, exitCode: 0, isTimedOut: false, durationMs: 0, output: '' });
    },
    'start-pass': (message) => passes.handle(message),
    'start-visit': (message) => passes.handle(message),
    'cancel-pass': (message) => passes.handle(message),
    'clock-reply': (message) => clock.handleReply(message),
    'upload-visits': () => void uploader.uploadNext(),
    'visits-stored': ({ visitIds }) => void uploader.handleStored(visitIds),
  };
  link.on('message', (message) =>
    (handle[message.type] as ((message: ControllerMessage) => void) | undefined)?.(message),
  );
  link.on('connected', () => {
    clock.handleConnect();
    if (connected.size < connected.add(name).size && connected.size === names.length) process.send!('connected');
  });
  link.on('disconnected', () => {
    clock.handleDisconnect();
    uploader.handleDisconnect();
  });
  await link.run();
  await passes.close('The bench is over');
}

await Promise.all(names.map(holdAgent));

import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Logger } from 'pino';
import { assertNever } from '#core/assert-never.ts';
import { protocolVersion, type ControllerMessage } from '#core/protocol/agent-messages.ts';
import { completeCapture } from './artefacts/complete-capture.ts';
import { openChromeEngine } from './engines/chrome/chrome-engine.ts';
import { epochClock } from './epoch-clock.ts';
import { readHostFacts } from './host/host-facts.ts';
import { ControllerClock } from './link/controller-clock.ts';
import { ControllerLink } from './link/controller-link.ts';
import { applyToTestbed, type Testbed } from './network/testbed.ts';
import { PassDesk } from './passes/pass-desk.ts';
import { runScript } from './scripts/run-script.ts';
import { CaptureSpool } from './spool/capture-spool.ts';
import { CaptureUploader } from './spool/capture-uploader.ts';
import { openSpoolDatabase } from './spool/open-spool-database.ts';
import { VisitSpool } from './spool/visit-spool.ts';
import { VisitUploader } from './spool/visit-uploader.ts';
import { removeAbandonedRules } from './users/remove-abandoned-rules.ts';

export interface AgentOptions {
  controllerUrl: string;
  token: string;
  name: string;
  /** Whether the Controller may have shell scripts run here: only the operator of this machine may say so. */
  allowScripts: boolean;
  /** Null for an Agent that runs no User Agents, such as one that only holds a testbed or runs scripts. */
  chromePath: string | null;
  /** Where the spool is kept. */
  homeFolder: string;
  agentVersion: string;
  /** The emulated network that it holds, if any. */
  testbed?: Testbed;
  log: Logger;
  signal: AbortSignal;
}

/**
 * A stand-alone Agent: stays connected to its Controller and does what it is ordered until the signal aborts; then every browser
 * and script is ended before it resolves. Rejects when the Controller refuses it, or no browser starts.
 */
export async function runAgent(options: AgentOptions): Promise<void> {
  const { controllerUrl, log, signal, name, token, agentVersion } = options;
  await removeAbandonedRules();
  const engine = options.chromePath === null ? null : await openChromeEngine({ executablePath: options.chromePath, log });
  const facts = readHostFacts({
    engines: engine ? [{ engine: engine.name, version: engine.browserVersion }] : [],
    scriptsAllowed: options.allowScripts,
    testbed: options.testbed ? { backend: options.testbed.backend } : null,
  });
  const spoolPath = path.join(options.homeFolder, 'spool', fileName(name));
  using database = openSpoolDatabase(`${spoolPath}.sqlite`);
  const spool = new VisitSpool(database);
  const captureSpool = new CaptureSpool(database, `${spoolPath}-traces`);

  const link = new ControllerLink({
    controllerUrl,
    hello: () => ({ type: 'hello', protocolVersion, agentVersion, token, name, facts, passes: desk.list() }),
    log,
    signal,
  });
  const send = link.send.bind(link);
  const clock = new ControllerClock((agentEpochMs) => send({ type: 'clock-request', agentEpochMs }));
  const desk: PassDesk = new PassDesk({ engine, spool, captureSpool, controllerUrl, clock, send, log });
  const isMeasuring = () => desk.isMeasuring;
  const uploader = new VisitUploader(spool, { send, isMeasuring, log });
  const captureUploader = new CaptureUploader(captureSpool, {
    complete: ({ passId, capture }, transfer) => completeCapture(capture, { passId, spool: captureSpool, controllerUrl, token, signal: transfer }),
    send,
    isMeasuring,
    log,
  });
  signal.addEventListener('abort', () => captureUploader.pause());
  desk.onIdle = () => log.info('No Pass is under way');

  const execute = async (order: Extract<ControllerMessage, { type: 'run-script' }>) => {
    const refusal = { exitCode: null, isTimedOut: false, durationMs: 0, output: 'This Agent was started without --allow-scripts' };
    const { timeoutMs, environment } = order;
    const result = options.allowScripts ? await runScript(order.script, { timeoutMs, environment, signal }) : refusal;
    send({ type: 'script-ended', orderId: order.orderId, ...result });
  };

  const applyNetwork = async ({ orderId, network, users }: Extract<ControllerMessage, { type: 'apply-network' }>) => {
    const applied = options.testbed
      ? await applyToTestbed(options.testbed, { network, users })
      : { problem: 'This Agent holds no testbed', check: null };
    send({ type: 'network-applied', orderId, ...applied });
  };

  const handle = (message: ControllerMessage): void => {
    switch (message.type) {
      case 'welcome':
        log.info(`Connected to ${controllerUrl} (Controller ${message.controllerVersion})`);
        clock.read().then(
          (offset) => send({ type: 'clock-read', ...offset }),
          (error: unknown) => log.warn({ err: error }, 'The clock offset could not be read'),
        );
        uploader.uploadNext();
        captureUploader.uploadNext();
        return;
      case 'prepare-pass':
        captureUploader.pause();
        return desk.prepare(message.order);
      case 'start-pass':
      case 'cancel-pass':
        return desk.handle(message);
      case 'upload-visits':
        uploader.uploadNext();
        return captureUploader.uploadNext();
      case 'visits-stored':
        return uploader.handleStored(message.visitIds);
      case 'visits-refused':
        return uploader.handleRefused(message.visitIds, message.reason);
      case 'capture-stored':
        return captureUploader.handleStored(message.passId);
      case 'capture-refused':
        return captureUploader.handleRefused(message.passId, message.reason);
      case 'apply-network':
        applyNetwork(message).catch((error: unknown) => log.error({ err: error }, 'The answer to an order for the network could not be given'));
        return;
      case 'clock-reply':
        return clock.handleReply(message);
      case 'run-script':
        execute(message).catch((error: unknown) => log.error({ err: error }, 'A script could not be run'));
        return;
      case 'ping':
      case 'refused':
        return; // answered by the link
      default:
        assertNever(message);
    }
  };

  link.on('message', handle);
  link.on('disconnected', () => {
    clock.handleDisconnect();
    uploader.handleDisconnect();
    captureUploader.handleDisconnect();
  });
  try {
    await link.run();
  } finally {
    await desk.close('The Agent was stopped');
    log.info(`Stopped at ${new Date(epochClock()).toISOString()}; ${spool.waitingCount} Visits wait in the spool`);
  }
}

/** A name of people as a name of files: readable, and never two names the same file. */
function fileName(name: string): string {
  return `${name.replace(/[^\w-]+/g, '_')}-${createHash('sha256').update(name).digest('hex').slice(0, 8)}`;
}

import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Logger } from 'pino';
import { VisitUploader } from '#core/agent/visit-uploader.ts';
import { assertNever } from '#core/assert-never.ts';
import { ControllerClock } from '#core/clock/controller-clock.ts';
import { realTime, type Time } from '#core/clock/time.ts';
import type { HostFacts } from '#core/protocol/host-facts.ts';
import type { HostOrigin } from '#core/protocol/host-origin.ts';
import { protocolVersion, type ControllerMessage } from '#core/protocol/agent-messages.ts';
import { HeldCaptures } from './capture/held-captures.ts';
import { completeCapture } from './capture/complete-capture.ts';
import { uploadArtefact } from './artefacts/upload-artefact.ts';
import { awaitEngine, type LookForEngine } from './engines/engine.ts';
import { openEngines, type BrowserPaths } from './engines/open-engines.ts';
import { asOfSystemClock, epochClock } from '#core/clock/epoch-clock.ts';
import { readHostFacts } from './host/read-host-facts.ts';
import { ControllerLink, connectedWords } from './controller-link.ts';
import { applyToTestbed, type Testbed } from './network/apply-to-testbed.ts';
import { SiteFiles } from './network/site-files.ts';
import { HeldPasses } from './held-passes.ts';
import { answerCertificate } from './certificates/read-certificate.ts';
import { removeAbandonedFolders } from './own-folder.ts';
import { HeldProcesses } from './processes/held-processes.ts';
import { HeldScript } from './scripts/held-script.ts';
import { CaptureSpool } from './spool/capture-spool.ts';
import { CaptureUploader } from './spool/capture-uploader.ts';
import { FilmedVisits, VisitSpool } from './spool/visit-spool.ts';
import { openSpoolDatabase } from './spool/open-spool-database.ts';
import { PictureUploader, PictureSpool } from './spool/picture-uploader.ts';
import { removeAbandonedRules } from './users/remove-abandoned-rules.ts';

/** After a message that could not be dealt with. */
const renewAfterMs = 5_000;

export interface AgentOptions extends BrowserPaths {
  controllerUrl: string;
  /** Addresses of other Controllers on the same database, to be tried in turn where that one does not answer. */
  otherControllerUrls?: readonly string[] | undefined;
  token: string;
  name: string;
  /** Whether the Controller may have shell scripts run here: only the operator of this machine may say so. */
  allowScripts: boolean;
  /** Likewise, whether browsers may be given any preference or switch, those that load code or name files too. */
  allowAnyPreference?: boolean | undefined;
  /** Where the spool is kept. */
  homeFolder: string;
  agentVersion: string;
  /** The words that start HTTP-AE on this host, for what an Agent starts of it. */
  launcher: readonly string[];
  /** The origin whose pages this host can load; left out or null where there is none. */
  origin?: HostOrigin | null | undefined;
  /** The emulated network that it holds, if any. */
  testbed?: Testbed;
  /** How `./http-ae hosts up` has started it, if it has. */
  bySsh?: HostFacts['bySsh'] | undefined;
  /** Looks now and then for an engine that was not there at the start, such as a browser that is installed later. */
  lookForEngine?: LookForEngine | undefined;
  /** How its line, and its clock, wait. As time passes unless given. */
  sleep?: Time['sleep'];
  log: Logger;
  signal: AbortSignal;
}

/**
 * A stand-alone Agent: stays connected to its Controller and does what it is ordered until the signal aborts; then every browser
 * and script is ended before it resolves. Rejects when the Controller refuses it, or no browser starts.
 */
export async function runAgent(options: AgentOptions): Promise<void> {
  const { log, signal, name, token, agentVersion, sleep = realTime.sleep } = options;
  const controllerUrls = [options.controllerUrl, ...(options.otherControllerUrls ?? [])];
  await removeAbandonedRules();
  await removeAbandonedFolders(tmpdir(), 'httpep');
  const engines = new Map(await openEngines(options, log));
  const readFacts = () =>
    readHostFacts({
      engines: [...engines.values()].map(({ name: engine, browserVersion, settings }) => ({
        engine,
        version: browserVersion,
        ...(settings && { settings: [...settings] }),
      })),
      scriptsAllowed: options.allowScripts,
      anyPreferenceAllowed: options.allowAnyPreference === true,
      origin: options.origin ?? null,
      testbed: options.testbed ? { backend: options.testbed.backend } : null,
      ...(options.bySsh && { bySsh: options.bySsh }),
    });
  const spoolPath = path.join(options.homeFolder, 'spool', fileName(name));
  using database = openSpoolDatabase(`${spoolPath}.sqlite`);
  const spool = new VisitSpool(database);
  const captureSpool = new CaptureSpool(database, `${spoolPath}-traces`);
  const pictureSpool = new PictureSpool(`${spoolPath}-screenshots`);
  const siteFiles = new SiteFiles(path.join(options.homeFolder, 'sites'));
  const isIdle = () => !passes.isMeasuring && !captures.isCapturing;
  const link = new ControllerLink({
    controllerUrls,
    token,
    hello: () => ({ type: 'hello', protocolVersion, agentVersion, name, facts: readFacts(), passes: passes.list() }),
    mayMove: isIdle,
    sleep,
    log,
    signal,
  });
  const send = link.send.bind(link);
  const clock: ControllerClock = new ControllerClock({
    epochClock,
    resolutionMs: 0,
    sleep,
    random: Math.random,
    request: (agentEpochMs) => send({ type: 'clock-request', agentEpochMs }),
    mustRest: () => passes.isLoading || captures.isCapturing,
    onReport: (offset) => send({ type: 'clock-read', ...asOfSystemClock(offset) }),
  });
  const surroundings = {
    agent: name,
    isAnyPreferenceAllowed: options.allowAnyPreference === true,
    engines,
    spool,
    captureSpool,
    pictureSpool,
    controllerUrls,
    clock,
    send,
    sleep,
    log,
  };
  /** Asked for since the last order: a Pass that was cancelled leaves its Capture a little later. */
  let isUploadWanted = false;
  const passes: HeldPasses = new HeldPasses(surroundings, () => {
    log.debug('No Pass is under way');
    if (isUploadWanted) void uploadAll();
  });
  const captures: HeldCaptures = new HeldCaptures({ spool: captureSpool, controllerUrls, clock, send, log });
  const script = new HeldScript({ send, log, mayRun: options.allowScripts });
  const processes = new HeldProcesses({ send, log, mayRun: options.allowScripts, launcher: options.launcher });
  /** What is sent without a line is dropped, and an answer to it would never come. */
  const mustWait = () => !link.isConnected || passes.isMeasuring || captures.isCapturing;
  const uploader = new VisitUploader(new FilmedVisits(spool, pictureSpool, log), {
    send,
    mustWait,
    warn: (message) => log.error(message),
  });
  const captureUploader = new CaptureUploader(captureSpool, {
    complete: ({ captureId, capture }, transfer) =>
      completeCapture(capture, {
        captureId,
        spool: captureSpool,
        controllerUrl: link.controllerUrl,
        token,
        signal: transfer,
      }),
    send,
    mustWait,
    log,
  });
  const pictureUploader = new PictureUploader(pictureSpool, {
    upload: (sha256, transfer) =>
      uploadArtefact({
        controllerUrl: link.controllerUrl,
        token,
        file: pictureSpool.fileOf(sha256),
        path: `api/pictures/${sha256}`,
        signal: transfer,
      }),
    // A Visit that waits needs the pictures of its film.
    mustWait: () => mustWait() || spool.countWaiting() > 0,
    log,
  });
  const pauseUploads = () => {
    captureUploader.pause();
    pictureUploader.pause();
  };
  signal.addEventListener('abort', pauseUploads);
  const uploadAll = () => {
    captureUploader.uploadNext();
    pictureUploader.uploadAll();
    return uploader.announce();
  };

  const applyNetwork = async ({
    orderId,
    network,
    users,
    runHasVaryingRate,
    replay,
  }: Extract<ControllerMessage, { type: 'apply-network' }>) => {
    const fetchFiles = async () =>
      replay && (await siteFiles.fetchAll(replay, { controllerUrl: link.controllerUrl, token, signal }));
    const applied = options.testbed
      ? await applyToTestbed(options.testbed, { network, users, runHasVaryingRate }, fetchFiles)
      : { problem: 'This Agent holds no testbed', check: null, fault: null };
    send({ type: 'network-applied', orderId, ...applied });
  };

  const handle = (message: ControllerMessage): void | Promise<void> => {
    switch (message.type) {
      case 'welcome':
        log.info(`${connectedWords} ${link.controllerUrl} (Controller ${message.controllerVersion})`);
        return uploadAll();
      case 'prepare-pass':
        isUploadWanted = false;
        pauseUploads();
        return passes.prepare(message.order);
      case 'start-pass':
      case 'start-visit':
      case 'cancel-pass':
        return passes.handle(message);
      case 'upload-visits':
        isUploadWanted = true;
        captureUploader.uploadNext();
        pictureUploader.uploadAll();
        return uploader.uploadNext();
      case 'visits-stored':
        log.debug({ visitIds: message.visitIds }, 'Acknowledged');
        return uploader.handleStored(message.visitIds).then(() => pictureUploader.uploadAll());
      case 'visits-refused':
        return uploader.handleRefused(message.visitIds, message.reason).then(() => pictureUploader.uploadAll());
      case 'capture-stored':
        return captureUploader.handleStored(message.captureId);
      case 'capture-refused':
        return captureUploader.handleRefused(message.captureId, message.reason);
      case 'capture-wanted':
        return captureUploader.handleWanted(message.captureId);
      case 'start-capture':
        isUploadWanted = false;
        captureUploader.pause();
        return captures.start(message.order);
      case 'stop-capture':
        return captures.stop(message);
      case 'apply-network':
        return applyNetwork(message);
      case 'read-certificate':
        return answerCertificate(message, signal).then((answer) => send(answer));
      case 'clock-reply':
        return clock.handleReply(message);
      case 'run-script':
        return script.run(message);
      case 'end-script':
        return script.end(message.orderId);
      case 'start-process':
      case 'check-process':
      case 'end-process':
        return processes.handle(message);
      case 'ping':
      case 'refused':
        return; // answered by the link
      default:
        assertNever(message);
    }
  };

  const carryOut = async (message: ControllerMessage) => {
    try {
      await handle(message);
    } catch (error) {
      log.error({ err: error }, `The message "${message.type}" could not be dealt with; connecting again soon`);
      // Such as on a full disk: what could not be written down is sent again on the next line.
      await sleep(renewAfterMs, signal).catch(() => undefined);
      link.renew();
    }
  };
  link.on('message', (message) => void carryOut(message));
  link.on('connected', () => {
    clock.handleConnect();
    passes.handleConnect();
    processes.handleConnect();
  });
  link.on('disconnected', () => {
    clock.handleDisconnect();
    passes.handleDisconnect();
    processes.handleDisconnect();
    uploader.handleDisconnect();
    captureUploader.handleDisconnect();
    pictureUploader.pause();
  });
  const lookForEngine = async (look: LookForEngine) => {
    const engine = await awaitEngine(look, { mayLook: isIdle, sleep, log, signal });
    if (!engine) return;
    engines.set(engine.name, engine);
    log.info(`There is an engine ${engine.name} now: ${engine.browserVersion}`);
    // A hello says what this host has.
    link.renew();
  };
  if (options.lookForEngine) void lookForEngine(options.lookForEngine);
  try {
    await link.run();
  } finally {
    await script.close();
    await passes.close('The Agent was stopped');
    await captures.close();
    await processes.close();
    log.info(`Stopped at ${new Date(epochClock()).toISOString()}; ${spool.countWaiting()} Visits wait in the spool`);
  }
}

/** The name of the Agent as a name of files. It stays readable, and different names have different files. */
function fileName(name: string): string {
  return `${name.replace(/[^\w-]+/g, '_')}-${createHash('sha256').update(name).digest('hex').slice(0, 8)}`;
}

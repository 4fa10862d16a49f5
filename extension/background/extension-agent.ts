import { sleep } from '#core/clock/time.ts';
import browser from 'webextension-polyfill';
import { VisitUploader } from '#core/agent/visit-uploader.ts';
import { assertNever } from '#core/assert-never.ts';
import { ControllerClock } from '#core/clock/controller-clock.ts';
import { protocolVersion, type ControllerMessage } from '#core/protocol/agent-messages.ts';
import type { Enrolment } from '#core/protocol/enrolment-link.ts';
import { asOfSystemClock, epochClock, measureResolution } from '#core/clock/epoch-clock.ts';
import { mayUseProxies } from '../agent-state/proxy-permit.ts';
import { readHostFacts } from './describe-browser-host.ts';
import { ControllerLink } from './extension-link.ts';
import { KeeperPage } from './keeper-page.ts';
import { SinglePass } from './passes/single-pass.ts';
import type { PassSurroundings } from './passes/extension-pass.ts';
import { Spool } from './spool.ts';
import { StateBoard } from './state-board.ts';
import { z } from 'zod';
import type { PageLoad } from '#core/evaluation/pages/page-load.ts';
import { openStage } from './stage/open-stage.ts';

const keepAliveEveryMs = 20_000;

/** The extension as an Agent: holds the line to its Controller and does what it is ordered. */
export class ExtensionAgent {
  readonly #board: StateBoard;
  readonly #clock: ControllerClock;
  readonly #pass: SinglePass;
  readonly #uploader: VisitUploader;
  readonly #keeper = new KeeperPage();
  #link: ControllerLink | null = null;
  #enrolment: Enrolment | null = null;

  static async open(): Promise<ExtensionAgent> {
    const agent = new ExtensionAgent({ spool: await Spool.open(), browserLifeId: await readBrowserLifeId() });
    await agent.#pass.resume();
    agent.#keeper.keep(agent.#pass.isMeasuring);
    return agent;
  }

  private constructor({ spool, browserLifeId }: { spool: Spool; browserLifeId: string }) {
    const send: ControllerLink['send'] = (message, attached) => this.#link?.send(message, attached);
    this.#board = new StateBoard(spool);
    this.#clock = new ControllerClock({
      epochClock,
      resolutionMs: measureResolution(epochClock),
      sleep,
      random: Math.random,
      request: (agentEpochMs) => send({ type: 'clock-request', agentEpochMs }),
      mustRest: () => this.#pass.isLoading,
      onReport: (offset) => send({ type: 'clock-read', ...asOfSystemClock(offset) }),
    });
    const onProgress: PassSurroundings['onProgress'] = (pass, progress) => this.#board.showPass(pass, progress);
    const onChanges: PassSurroundings['onChanges'] = (changes) => this.#board.showChanges(changes);
    this.#pass = new SinglePass(
      { spool, clock: this.#clock, send, warmUp: warmUpOnce(), browserLifeId, onProgress, onChanges },
      () => this.#rest(),
    );
    this.#uploader = new VisitUploader(spool, {
      send,
      mustWait: () => this.#pass.isMeasuring,
      warn: (message) => console.warn(message),
    });
    keepAwake(() => this.#link !== null || this.#pass.isMeasuring);
  }

  /**
   * Leaves the Controller that it had, and joins this one; null: none. A Pass for the old one is given up, unless it is the same. Who was refused
   * joins again only by a change, not each time that the background wakes.
   */
  async enrol(enrolment: Enrolment | null, { isChange }: { isChange: boolean }): Promise<void> {
    if (this.#link !== null && isSame(enrolment, this.#enrolment)) return;
    if (!isChange && (await this.#board.isRefused())) return;
    this.#link?.close();
    this.#link = null;
    this.#clock.handleDisconnect();
    this.#enrolment = enrolment;
    if (isChange) await this.#pass.stop('The extension was enrolled again');
    if (this.#enrolment !== enrolment) return; // changed again meanwhile
    if (enrolment === null) {
      this.#board.showLink('not-enrolled');
      return;
    }
    this.#board.showLink('connecting');
    this.#link = new ControllerLink({
      controllerUrl: enrolment.controllerUrl,
      token: enrolment.token,
      hello: async () => ({
        type: 'hello',
        protocolVersion,
        agentVersion: `${browser.runtime.getManifest().version} extension`,
        name: enrolment.name,
        facts: await readHostFacts(),
        passes: this.#pass.list(),
      }),
      onMessage: (message) => {
        this.#handle(message).catch((error: unknown) =>
          console.error(`The message "${message.type}" could not be handled`, error),
        );
      },
      onDown: ({ problem, isFinal }) => {
        this.#clock.handleDisconnect();
        this.#pass.handleDisconnect();
        this.#uploader.handleDisconnect();
        this.#board.showLink(isFinal ? 'refused' : 'connecting', problem);
        if (!isFinal) return;
        this.#link = null;
        const stopped = this.#pass.stop('The Controller refused this Agent');
        stopped.catch((error: unknown) => console.error('The Pass could not be ended', error));
      },
    });
  }

  /** Reports what the person permits now. A Pass may be in the midst of what is not permitted any more. */
  async reportPermit(): Promise<void> {
    if (!(await mayUseProxies())) await this.#pass.stop('The person at the browser no longer permits proxies');
    this.#link?.renew();
  }

  async #handle(message: ControllerMessage): Promise<void> {
    switch (message.type) {
      case 'welcome':
        this.#board.showLink('connected');
        this.#clock.handleConnect();
        this.#pass.handleConnect();
        this.#uploader.handleDisconnect();
        await this.#uploader.announce();
        break;
      case 'prepare-pass':
        this.#keeper.keep(true);
        await this.#pass.prepare(message.order);
        // The end of an earlier Pass may have let go of it meanwhile.
        this.#keeper.keep(this.#pass.isMeasuring);
        break;
      case 'start-pass':
        this.#pass.start(message);
        break;
      case 'start-visit':
        this.#pass.startVisit(message);
        break;
      case 'cancel-pass':
        await this.#pass.cancel(message);
        this.#rest();
        break;
      case 'upload-visits':
        await this.#uploader.uploadNext();
        break;
      case 'visits-stored':
        await this.#uploader.handleStored(message.visitIds);
        this.#board.showWaiting();
        break;
      case 'visits-refused':
        await this.#uploader.handleRefused(message.visitIds, message.reason);
        this.#board.showWaiting();
        break;
      case 'clock-reply':
        this.#clock.handleReply(message);
        break;
      case 'run-script':
        this.#link?.send({
          type: 'script-ended',
          orderId: message.orderId,
          exitCode: null,
          isTimedOut: false,
          durationMs: 0,
          output: 'A browser extension cannot run scripts',
        });
        break;
      case 'apply-network':
        this.#link?.send({
          type: 'network-applied',
          orderId: message.orderId,
          problem: 'A browser extension has no testbed',
          check: null,
          fault: null,
        });
        break;
      case 'read-certificate':
        this.#link?.send({
          type: 'certificate-read',
          orderId: message.orderId,
          certificate: null,
          problem: 'a browser extension cannot read certificates',
        });
        break;
      case 'start-process':
        this.#link?.send({
          type: 'process-started',
          processKey: message.processKey,
          problem: 'was not started: a browser extension runs no processes',
          output: '',
        });
        break;
      case 'start-capture':
        this.#link?.send({
          type: 'capture-started',
          captureId: message.order.captureId,
          refusal: { field: 'interface', problem: 'A browser extension cannot capture packets' },
        });
        break;
      case 'check-process':
      case 'end-process':
        this.#link?.send({
          type: message.type === 'check-process' ? 'process-checked' : 'process-ended',
          processKey: message.processKey,
          problem: null,
          output: '',
        });
        break;
      case 'end-script':
      case 'stop-capture':
      case 'capture-stored':
      case 'capture-refused':
      case 'capture-wanted':
      case 'ping':
      case 'refused':
        break; // of scripts and Captures there are none; the others are answered by the link
      default:
        assertNever(message);
    }
  }

  /** No Pass is under way. */
  #rest(): void {
    if (this.#pass.isMeasuring) return;
    this.#keeper.keep(false);
    this.#board.showRest();
  }
}

function isSame(one: Enrolment | null, other: Enrolment | null): boolean {
  return one?.controllerUrl === other?.controllerUrl && one?.token === other?.token && one?.name === other?.name;
}

/** The same for as long as the browser runs, however often the background is started in that time. */
async function readBrowserLifeId(): Promise<string> {
  const { browserLifeId } = await browser.storage.session.get('browserLifeId');
  const known = z.string().safeParse(browserLifeId).data;
  if (known !== undefined) return known;
  const id = crypto.randomUUID();
  await browser.storage.session.set({ browserLifeId: id });
  return id;
}

/** A function that opens and closes a window the first time it is called, and does nothing later. */
function warmUpOnce(): (pageLoad: PageLoad) => Promise<void> {
  let isWarm = false;
  return async (pageLoad) => {
    if (isWarm) return;
    const stage = await openStage(pageLoad);
    await stage[Symbol.asyncDispose]();
    isWarm = true;
  };
}

/**
 * Keeps the background alive while it has work: a browser ends a background that has called nothing of the extension interface for 30 s.
 * https://developer.chrome.com/docs/extensions/develop/concepts/service-workers/lifecycle, and Firefox's event pages do the same.
 */
function keepAwake(isNeeded: () => boolean): void {
  setInterval(() => {
    if (isNeeded())
      browser.runtime
        .getPlatformInfo()
        .catch((error: unknown) => console.error('Failed to keep the background awake', error));
  }, keepAliveEveryMs);
}

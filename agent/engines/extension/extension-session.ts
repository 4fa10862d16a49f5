import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { tmpdir } from 'node:os';
import { BrowserSettingsSchema } from '#core/evaluation/browser/browser-settings.ts';
import { lastsForPass } from '#core/evaluation/pages/page-load.ts';
import type { AgentMessage } from '#core/protocol/agent-messages.ts';
import type { PassOrder } from '#core/protocol/pass-order.ts';
import { VisitRest } from '#core/metrics/visit-rest.ts';
import { type VisitOutcome, VisitSchema, type Visit } from '#core/protocol/visit.ts';
import { epochClock } from '#core/clock/epoch-clock.ts';
import { requireWebAddress, readFailure } from '../browser/navigation-failure.ts';
import type { OwnFolder } from '../../own-folder.ts';
import { makeProfileFolder } from '../browser/browser-process.ts';
import { holdToProtocols } from '../browser/hold-to-protocols.ts';
import { failedOutcome, VisitFailure } from '#core/agent/visit-failure.ts';
import type { EngineSession, EngineSettings, VisitRequest, EngineLog } from '../engine.ts';
import type { ExtensionBrowser, ExtensionBrowserOptions } from './extension-browser-options.ts';
import { ExtensionLine } from './extension-line.ts';
import { type ExtensionTarget, packExtension } from './pack-extension.ts';
import { gunzipSync } from 'node:zlib';
import { fromColumns } from '#core/columns/columns.ts';
import { type CompressedVisit, matchSnapshots, mostSnapshotBytes } from '#core/protocol/sent-visit.ts';
import { AppError } from '#core/app-error.ts';
import { launchChromeWithExtension } from './launch-chrome-with-extension.ts';
import { launchFirefoxWithExtension } from './launch-firefox-with-extension.ts';

export interface ExtensionEngineOptions {
  target: ExtensionTarget;
  executablePath: string;
  /** Where the browsers' temporary profiles are made; the system's folder for temporary files when left out. */
  temporaryFolder?: string;
  log?: EngineLog;
}

const answerWithinMs = 30_000;
const name = 'extension';

/** A Visit whose window is open and rested. */
interface ReadyPass {
  url: string;
  order: PassOrder;
  /** Aborted when it was lost, or is over. */
  over: AbortController;
  /** Likewise, and when the browser is gone or nobody wants it any more. */
  until: AbortSignal;
}

/** One browser with the extension in it. Every Visit is a Pass of one Visit to the extension. */
export class ExtensionSession implements EngineSession {
  readonly #options: ExtensionEngineOptions & EngineSettings;
  readonly #folder: OwnFolder;
  readonly #line: ExtensionLine;
  readonly #token: string;
  readonly #rest: VisitRest;
  readonly #closing = new AbortController();
  #browser: ExtensionBrowser | null = null;
  /** The next Visit, where it was prepared. */
  #ready: ReadyPass | null = null;
  #version = '';

  static async open(options: ExtensionEngineOptions & EngineSettings): Promise<ExtensionSession> {
    const folder = await makeProfileFolder(options.temporaryFolder ?? tmpdir(), options.osUser);
    const token = randomUUID();
    const session = new ExtensionSession({ options, folder, token, line: await ExtensionLine.open(token) });
    try {
      await session.#startBrowser();
      return session;
    } catch (error) {
      await session[Symbol.asyncDispose]();
      throw error;
    }
  }

  private constructor(parts: {
    options: ExtensionEngineOptions & EngineSettings;
    folder: OwnFolder;
    token: string;
    line: ExtensionLine;
  }) {
    this.#options = parts.options;
    this.#rest = new VisitRest(parts.options.pageLoad);
    this.#folder = parts.folder;
    this.#token = parts.token;
    this.#line = parts.line;
  }

  get browserVersion(): string {
    return this.#version;
  }

  get processId(): number | null {
    return this.#browser && !this.#browser.gone.aborted ? this.#browser.processId : null;
  }

  /** Starts the browser where none runs, and opens the window of the next Visit where that is known. */
  async prepare({ url, signal, ...next }: Partial<VisitRequest> = {}): Promise<void> {
    await this.#startBrowser();
    if (url === undefined) return;
    const either = AbortSignal.any([this.#closing.signal, ...(signal ? [signal] : [])]);
    try {
      requireWebAddress(url);
      this.#ready = await this.#becomeReady({ ...next, url, signal: either });
    } catch {
      // What fails here fails again in the Visit, which has an outcome for it.
      either.throwIfAborted();
    }
  }

  async #startBrowser(): Promise<void> {
    if (this.processId !== null) return;
    await this.#endBrowser();
    const { signal = this.#closing.signal } = this.#options;
    const either = AbortSignal.any([signal, this.#closing.signal]);
    const limit = AbortSignal.any([either, AbortSignal.timeout(answerWithinMs)]);
    const connected = this.#line.next((message) => (message.type === 'clock-read' ? true : undefined), limit);
    // Awaited only once the browser has started.
    connected.catch(() => undefined);
    const { target, executablePath, browser, urls } = this.#options;
    this.#browser = await launchExtensionBrowser({
      target,
      executablePath,
      browser,
      urls,
      folder: this.#folder.path,
      enrolment: { controllerUrl: this.#line.url, token: this.#token, name },
      signal: either,
      ...(this.#options.osUser && { osUser: this.#options.osUser }),
    });
    this.#version = this.#browser.version;
    await connected;
  }

  async visit(request: VisitRequest): Promise<VisitOutcome> {
    const signal = AbortSignal.any([request.signal, this.#closing.signal]);
    try {
      signal.throwIfAborted();
      requireWebAddress(request.url);
      await this.#startBrowser();
      const outcome = holdToProtocols(await this.#makePass({ ...request, signal }), this.#options);
      this.#rest.note(outcome.snapshot);
      return outcome;
    } catch (error) {
      const failure = readFailure(error, { isAborted: signal.aborted, isBrowserGone: this.processId === null });
      // A fault that the browser could not explain must not reach the next Visit.
      if (signal.aborted || failure.code === 'browser-crashed' || failure.code === 'engine-error')
        await this.#endBrowser();
      return failedOutcome(failure);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(new Error('The session is closed'));
    await this.#endBrowser();
    await this.#line[Symbol.asyncDispose]();
    await this.#folder[Symbol.asyncDispose]();
  }

  async #makePass(request: VisitRequest): Promise<VisitOutcome> {
    const prepared = this.#ready;
    this.#ready = null;
    const isPrepared = prepared?.url === request.url && !prepared.over.signal.aborted;
    const { order, over, until } = isPrepared ? prepared : await this.#becomeReady(request);
    const { passId, pageLoad } = order;
    try {
      // The page may take as long to report as it took to load.
      const limit = AbortSignal.any([until, AbortSignal.timeout(2 * pageLoad.timeoutMs + answerWithinMs)]);
      const started = this.#stepOf('pass-started', { passId, limit });
      const ended = this.#stepOf('pass-ended', { passId, limit });
      // An address that is refused at once is not begun with.
      started.then(request.onNavigate, () => undefined);
      this.#line.send({ type: 'start-pass', passId, startEpochMs: epochClock() });
      await ended;
      const outcome = this.#line.next(
        (message, attached) => readVisits(message, attached)?.find((visit) => visit.passId === passId),
        limit,
      );
      this.#line.send({ type: 'upload-visits' });
      const visit = await outcome;
      this.#line.send({ type: 'visits-stored', visitIds: [visit.id] });
      this.#line.send({ type: 'cancel-pass', passId, reason: 'The Visit is over' });
      return visit.outcome;
    } finally {
      over.abort(new Error('The Visit is over'));
    }
  }

  /** Has the extension open the window of a Visit, and rest. */
  async #becomeReady({ url, untilMark, replay, restMs, signal }: VisitRequest): Promise<ReadyPass> {
    // The extension begins each Pass knowing of no Visit before.
    const rest = this.#rest.before(restMs);
    const order = this.#describePass({
      url,
      repetition: 1,
      ...(untilMark !== undefined && { untilMark }),
      ...(replay && { replay }),
      restMs: rest,
    });
    const { passId } = order;
    const over = new AbortController();
    const until = AbortSignal.any([signal, this.#browser!.gone, over.signal]);
    this.#line
      .next(
        (message) => (message.type === 'pass-lost' && message.passId === passId ? message.problem : undefined),
        until,
      )
      .then(
        (problem) => over.abort(new VisitFailure('engine-error', problem)),
        () => undefined,
      );
    try {
      const limit = AbortSignal.any([until, AbortSignal.timeout(rest + answerWithinMs)]);
      const ready = this.#stepOf('pass-ready', { passId, limit });
      this.#line.send({ type: 'prepare-pass', order });
      await ready;
      return { url, order, over, until };
    } catch (error) {
      over.abort(error);
      throw error;
    }
  }

  #stepOf(type: StepType, { passId, limit }: { passId: string; limit: AbortSignal }): Promise<number> {
    return this.#line.next((message) => readStep(message, { type, passId }), limit);
  }

  #describePass(visit: PassOrder['visits'][number]): PassOrder {
    const { pageLoad, browser } = this.#options;
    const { blockedRequests } = browser;
    return {
      passId: randomUUID(),
      runId: 'stand-alone',
      roundId: randomUUID(),
      scenario: 'stand-alone',
      userAgent: name,
      engine: 'extension',
      // The browser and its profile are this Pass's own: both last for it where nothing is cleared.
      pageLoad: {
        ...pageLoad,
        cache: lastsForPass(pageLoad) ? 'warm' : 'cold',
        viewport: browser.viewport ?? pageLoad.viewport,
      },
      // All others are those of the browser, by the way it was started.
      browser: BrowserSettingsSchema.parse({ blockedRequests }),
      capture: null,
      visits: [visit],
    };
  }

  async #endBrowser(): Promise<void> {
    this.#ready = null;
    await this.#browser?.[Symbol.asyncDispose]();
    this.#browser = null;
    // Also what the extension held: its next life begins with nothing.
    await rm(path.join(this.#folder.path, 'profile'), {
      recursive: true,
      force: true,
      maxRetries: 10,
      retryDelay: 100,
    });
  }
}

type StepType = 'pass-ready' | 'pass-started' | 'pass-ended';

/** The time of a start, in epoch milliseconds; 0 for the other steps. */
function readStep(message: AgentMessage, { type, passId }: { type: StepType; passId: string }): number | undefined {
  if (!('passId' in message) || message.passId !== passId || message.type !== type) return undefined;
  return message.type === 'pass-started' ? message.startedEpochMs : 0;
}

/** The Visits of a message of the extension, with their Snapshots, which it compressed by gzip; nothing of another message. */
export function readVisits(message: AgentMessage, attached: Uint8Array<ArrayBuffer>): Visit[] | undefined {
  if (message.type !== 'visits') return undefined;
  return matchSnapshots(message.visits, attached)?.map(readVisit);
}

function readVisit({ visit, snapshot: compressed }: CompressedVisit): Visit {
  const snapshot: unknown =
    compressed && fromColumns(JSON.parse(gunzipSync(compressed, { maxOutputLength: mostSnapshotBytes }).toString()));
  return VisitSchema.parse({ ...visit, outcome: { ...visit.outcome, snapshot } });
}

/** Throws an AppError when the browser does not start, or does not take the extension. */
export async function launchExtensionBrowser(options: ExtensionBrowserOptions): Promise<ExtensionBrowser> {
  const { target, enrolment, ...launched } = options;
  const extension = path.join(options.folder, 'extension');
  await packExtension(target, { enrolment, folder: extension });
  const packed = { ...launched, extension, line: new URL(enrolment.controllerUrl).host };
  try {
    return await (target === 'chrome' ? launchChromeWithExtension(packed) : launchFirefoxWithExtension(packed));
  } catch (cause) {
    options.signal?.throwIfAborted();
    throw new AppError(
      'browser-failed',
      `The browser ${options.executablePath} did not start with the extension: ${(cause as Error).message}`,
      { cause },
    );
  }
}

import { randomUUID } from 'node:crypto';
import type { ExtensionBrowser } from '#agent/engines/extension/extension-browser-options.ts';
import { ExtensionLine } from '#agent/engines/extension/extension-line.ts';
import { readVisits, launchExtensionBrowser } from '#agent/engines/extension/extension-session.ts';
import type { ExtensionTarget } from '#agent/engines/extension/pack-extension.ts';
import { epochClock } from '#core/clock/epoch-clock.ts';
import { BrowserSettingsSchema } from '#core/evaluation/browser/browser-settings.ts';
import { PageLoadSchema } from '#core/evaluation/pages/page-load.ts';
import type { AgentMessage } from '#core/protocol/agent-messages.ts';
import type { HostFacts } from '#core/protocol/host-facts.ts';
import type { PassOrder } from '#core/protocol/pass-order.ts';
import type { Visit } from '#core/protocol/visit.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { findChrome } from './find-chrome.ts';
import { findFirefox } from './find-firefox.ts';

interface PassWishes {
  urls: readonly string[];
  browser?: object;
  pageLoad?: object;
}

/** A headless browser with the extension as a person has it, and this process as its Controller. */
export class PersonsBrowser implements AsyncDisposable {
  readonly #stack = new AsyncDisposableStack();
  readonly #target: ExtensionTarget;
  readonly #token = randomUUID();
  #line!: ExtensionLine;
  #folder!: string;
  /** By Pass. Heard from before it starts: a page that fails at once ends it in the same breath. */
  readonly #ends = new Map<string, Promise<true>>();
  /** As the extension last said hello with. */
  facts!: HostFacts;
  current!: ExtensionBrowser;

  static async join(target: ExtensionTarget): Promise<PersonsBrowser> {
    const person = new PersonsBrowser(target);
    person.#line = person.#stack.use(await ExtensionLine.open(person.#token));
    person.#folder = person.#stack.use(await makeTemporaryFolder()).path;
    await person.start();
    return person;
  }

  private constructor(target: ExtensionTarget) {
    this.#target = target;
  }

  /** Starts it with the profile that it had, if it had one. */
  async start(): Promise<void> {
    await this.renewLine(async () => {
      this.current = await this.#launch();
    });
  }

  /** Does what has the extension say hello, and waits until it can be given orders. */
  async renewLine(act: () => Promise<void>): Promise<void> {
    const hello = this.hear((message) => (message.type === 'hello' ? message : undefined));
    const connected = hello.then(() => this.hear((message) => message.type === 'clock-read' || undefined));
    connected.catch(() => undefined); // reported below
    await act();
    this.facts = (await hello).facts;
    await connected;
  }

  #launch(): Promise<ExtensionBrowser> {
    return launchExtensionBrowser({
      target: this.#target,
      executablePath: this.#target === 'chrome' ? findChrome() : findFirefox(),
      enrolment: { controllerUrl: this.#line.url, token: this.#token, name: 'laptop' },
      folder: this.#folder,
      browser: BrowserSettingsSchema.parse({}),
    });
  }

  /** Ends all its processes at once. */
  async kill(): Promise<void> {
    await this.current[Symbol.asyncDispose]();
  }

  /** Resolves with what is picked of the messages from now on. */
  hear<T>(pick: (message: AgentMessage, attached: Uint8Array<ArrayBuffer>) => T | undefined): Promise<T> {
    return this.#line.next(pick, AbortSignal.timeout(60_000));
  }

  /** Has the extension begin a Pass; resolves once it loads the first page, with the id of the Pass. Throws with what the extension says when it refuses. */
  async startPass({ urls, browser = {}, pageLoad = {} }: PassWishes): Promise<string> {
    const order: PassOrder = {
      passId: randomUUID(),
      runId: '1',
      roundId: randomUUID(),
      scenario: 'set',
      userAgent: 'ann',
      engine: 'extension',
      pageLoad: PageLoadSchema.parse({ restMs: 0, quietMs: 100, ...pageLoad }),
      browser: BrowserSettingsSchema.parse(browser),
      capture: null,
      visits: urls.map((url) => ({ url, repetition: 1 })),
    };
    const { passId } = order;
    const answer = this.hear((message) => {
      if (message.type === 'pass-ready' && message.passId === passId) return { problem: null };
      if (message.type === 'pass-lost' && message.passId === passId) return { problem: message.problem };
      return undefined;
    });
    this.#line.send({ type: 'prepare-pass', order });
    const { problem } = await answer;
    if (problem !== null) throw new Error(problem);
    const started = this.hear((message) => (message.type === 'pass-started' && message.passId === passId) || undefined);
    const ended = this.hear((message) => (message.type === 'pass-ended' && message.passId === passId) || undefined);
    ended.catch(() => undefined); // reported to who awaits the Pass
    this.#ends.set(passId, ended);
    this.#line.send({ type: 'start-pass', passId, startEpochMs: epochClock() });
    await started;
    return passId;
  }

  /** Resolves with the Visits of a Pass that was begun, once it has ended. */
  async awaitPass(passId: string): Promise<Visit[]> {
    await this.#ends.get(passId);
    const uploaded = this.hear(readVisits);
    this.#line.send({ type: 'upload-visits' });
    const visits = await uploaded;
    this.#line.send({ type: 'visits-stored', visitIds: visits.map(({ id }) => id) });
    this.#line.send({ type: 'cancel-pass', passId, reason: 'It is over' });
    return visits;
  }

  /** A whole Pass. */
  async makePass(wishes: PassWishes): Promise<Visit[]> {
    const passId = await this.startPass(wishes);
    return this.awaitPass(passId);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.current[Symbol.asyncDispose]();
    await this.#stack.disposeAsync();
  }
}

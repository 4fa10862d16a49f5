import type { NetworkRequest } from '../../metrics/network-request.ts';
import type { ActivityEvent } from './activity-event.ts';
import { PageActivity } from './page-activity.ts';
import type { PageDocument } from './page-documents.ts';

/** Hands what a browser reports of one page to its `PageActivity`, and lets others wait for what comes of it. Recorders of engines translate their browser's events, and decide nothing. */
export class ActivityRecorder {
  readonly #mainFrameId: string;
  readonly #nowMs: () => number;
  #state: PageActivity;
  #activity = Promise.withResolvers<undefined>();
  #lastActivityMs: number;

  /** `nowMs`: a clock that is never set. */
  constructor(mainFrameId: string, nowMs: () => number) {
    this.#mainFrameId = mainFrameId;
    this.#nowMs = nowMs;
    this.#lastActivityMs = nowMs();
    this.#state = new PageActivity(mainFrameId);
  }

  /** Whether the page's load event has fired and nothing that settling waits for is in flight. */
  isQuiet(): boolean {
    return this.#state.isQuiet;
  }

  /** Whether a page has come, with nothing in flight, and all that is not known is whether it has loaded. */
  isLoadAwaited(): boolean {
    return this.#state.isLoadAwaited;
  }

  /** Whether a navigation of the page is under way: it has neither brought a document nor led nowhere. */
  get isNavigating(): boolean {
    return this.#state.isNavigating;
  }

  get quietForMs(): number {
    return this.#nowMs() - this.#lastActivityMs;
  }

  /** Resolves with the next change of what settling waits for. */
  get nextActivity(): Promise<undefined> {
    return this.#activity.promise;
  }

  get requests(): NetworkRequest[] {
    return this.#state.requests;
  }

  /** What settling waits for. */
  get awaited(): NetworkRequest[] {
    return this.#state.awaited;
  }

  /** The page's documents, one after another, since the first request. */
  get documents(): readonly PageDocument[] {
    return this.#state.documents;
  }

  /** Frames within the page. */
  get frameCount(): number {
    return this.#state.frameCount;
  }

  get mainDocument(): NetworkRequest | null {
    return this.#state.mainDocument;
  }

  /** Forgets all that was recorded: the next page of a journey begins. What is in flight belongs to no page. */
  forget(): void {
    this.#state = new PageActivity(this.#mainFrameId);
    this.noteActivity();
  }

  apply(event: ActivityEvent): void {
    const { changes } = this.#state;
    this.#state.apply(event);
    if (this.#state.changes !== changes) this.noteActivity();
  }

  /** The load event of the page. */
  noteLoaded(): void {
    this.apply({ kind: 'loaded' });
  }

  protected find(id: string, hop?: number): NetworkRequest | null {
    return this.#state.find(id, hop);
  }

  protected noteActivity(): void {
    this.#lastActivityMs = this.#nowMs();
    this.#activity.resolve(undefined);
    this.#activity = Promise.withResolvers();
  }
}

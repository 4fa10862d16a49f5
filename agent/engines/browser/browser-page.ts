import type { JourneyKey } from '#core/evaluation/journey/journey-step.ts';
import type { PageLoad } from '#core/evaluation/pages/page-load.ts';
import type { PageDocument } from '#core/agent/page-activity/page-documents.ts';
import type { NetworkRequest } from '#core/metrics/network-request.ts';
import type { Snapshot } from '#core/metrics/snapshot.ts';
import type { TakenFilmstrip } from '../engine.ts';
import type { CollectedFrames } from './collected-frames.ts';

/** One tab of a browser, watched from before its first navigation. Disposing of it closes it, with its context where that was its own. */
export interface BrowserPage extends AsyncDisposable {
  readonly recorder: PageRecorder;
  readonly viewport: PageLoad['viewport'];
  setViewport(viewport: PageLoad['viewport']): Promise<void>;
  /** Whether it is of a journey: dialogs are answered as its user would (`dialog-rule.ts`). */
  isJourney: boolean;
  /** Aborted with a VisitFailure when page or browser is gone. */
  readonly lost: AbortSignal;
  /** Has a script run before those of every document and worker that is to come, where the browser can: in workers only Chrome. */
  runAhead(script: string): Promise<void>;
  /** Resolves when the first bytes of the page have come. Throws a VisitFailure when none do, or none that make a page. */
  navigate(order: { url: string; signal: AbortSignal }): Promise<void>;
  /** Looks for what the browser did not report: ends of requests, and the load event. */
  findMissedEvents(signal: AbortSignal): Promise<void>;
  /** What early hints named, where the browser may fetch it and report nothing; empty where it reports all. */
  readonly hintedUrls: readonly string[];
  /** Whether no frame still loads an image or a font. */
  areFramesIdle(signal: AbortSignal): Promise<boolean>;
  /** Whether the page has set a User Timing mark of one of these names. */
  hasMark(names: readonly string[], signal: AbortSignal): Promise<boolean>;
  /** Evaluates an expression in the probe's world of the page itself. Its value is any JSON: parse it. */
  ask(expression: string, signal: AbortSignal): Promise<unknown>;
  readonly input: PageInput;
  /** The report of every frame that answers before the signal is aborted, and of the others why they have none. */
  collectFrames(signal: AbortSignal): Promise<CollectedFrames>;
  /** What the viewport shows now: a JPEG, large ones scaled down where the browser can. `quality`: in percent. */
  captureViewport(quality: number): Promise<Uint8Array>;
  /** Null where none is made. */
  readonly film: ViewportFilm | null;
  /** Null where it is not recorded. */
  readonly mainThread: MainThreadRecording | null;
}

/** What a user does with mouse and keyboard: the page cannot distinguish it from that. */
export interface PageInput {
  /** At a place of the viewport, in CSS pixels. */
  click(point: { x: number; y: number }): Promise<void>;
  press(key: JourneyKey): Promise<void>;
  release(key: JourneyKey): Promise<void>;
  /** Each of its characters by a key of its own, where the keyboard has one. */
  type(text: string): Promise<void>;
}

/** What the page's main thread does, from the opening of the page on. Disposing of it ends it. */
export interface MainThreadRecording extends AsyncDisposable {
  /** Ends it. The times are of the clock of the Snapshot: what is before and after does not count. */
  end(interval: { fromEpochMs: number; untilEpochMs: number }): Promise<NonNullable<Snapshot['mainThread']>>;
}

/** What the viewport shows, from the opening of the page on. */
export interface ViewportFilm {
  /** The Visit begins: of what was shown before, only the last counts. */
  begin(): void;
  end(): Promise<TakenFilmstrip>;
}

/** What the browser's network events show of one page. */
export interface PageRecorder {
  /** Whether the page's load event has fired and nothing that settling waits for is in flight. */
  isQuiet(): boolean;
  /** Whether a navigation of the page is under way: it has neither brought a document nor led nowhere. */
  readonly isNavigating: boolean;
  readonly quietForMs: number;
  /** Resolves with the next change of what settling waits for. */
  readonly nextActivity: Promise<undefined>;
  readonly requests: readonly NetworkRequest[];
  /** Frames within the page. */
  readonly frameCount: number;
  /** The page's documents, one after another, since the first request. */
  readonly documents: readonly PageDocument[];
  /** The last hop of the page's last navigation, of those that led anywhere if any did. */
  readonly mainDocument: NetworkRequest | null;
  /** Forgets all that was recorded: the next page of a journey begins. What is in flight belongs to no page. */
  forget(): void;
  /** Aborted with a VisitFailure once the base page is too large to be loaded. */
  readonly excess: AbortSignal;
}

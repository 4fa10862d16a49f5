import type { PageLoad } from '#core/evaluation/page-load.ts';
import type { FrameSnapshot, NetworkRequest } from '#core/metrics/snapshot.ts';
import type { TakenFilmstrip } from '../engine.ts';

/** One tab of a browser, watched from before its first navigation. Disposing of it closes it, with its context where that was its own. */
export interface BrowserPage extends AsyncDisposable {
  readonly recorder: PageRecorder;
  readonly viewport: PageLoad['viewport'];
  /** Aborted with a VisitFailure when page or browser is gone. */
  readonly lost: AbortSignal;
  /** Resolves when the first bytes of the page have come. Throws a VisitFailure when none do, or none that make a page. */
  navigate(order: { url: string; signal: AbortSignal }): Promise<void>;
  /** Whether no frame still loads an image or a font. */
  areFramesIdle(signal: AbortSignal): Promise<boolean>;
  /** Whether the page has set a User Timing mark of one of these names. */
  hasMark(names: readonly string[], signal: AbortSignal): Promise<boolean>;
  /** The report of every frame that answers before the signal is aborted. */
  collectFrames(signal: AbortSignal): Promise<FrameSnapshot[]>;
  /** What the viewport shows now: a JPEG, large ones scaled down where the browser can. `quality`: in percent. */
  captureViewport(quality: number): Promise<Uint8Array>;
  /** Null where none is made. */
  readonly film: ViewportFilm | null;
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
  readonly quietForMs: number;
  /** Resolves with the next change of what settling waits for. */
  readonly nextActivity: Promise<undefined>;
  readonly requests: readonly NetworkRequest[];
  /** The last hop of the page's last navigation, of those that led anywhere if any did. */
  readonly mainDocument: NetworkRequest | null;
  /** Aborted with a VisitFailure once the base page is too large to be loaded. */
  readonly excess: AbortSignal;
}

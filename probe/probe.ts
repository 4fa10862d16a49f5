import type { FrameSnapshot } from '#core/metrics/snapshot.ts';
import type { JourneyProbe } from './journey/journey-probe.ts';
import type { ResourceEnd } from './observe-entries.ts';

/** What the probe offers to the engine, as one global of its isolated world. */
export interface Probe {
  /** The document it observes: a window may outlive its first, empty document. */
  readonly document: Document;
  /** Cheap enough to ask while a page settles. */
  status(): FrameStatus;
  /** Whether the page has set a User Timing mark of one of these names; false in frames within it. */
  hasMark(names: readonly string[]): boolean;
  /** The ends of what this frame fetched from these addresses. */
  listEnds(urls: readonly string[]): ResourceEnd[];
  /** What was seen of this frame so far. */
  report(): Promise<FrameSnapshot>;
  /** Makes a closed shadow tree known, which only the engine can see. */
  addShadowRoot(root: ShadowRoot): void;
  /** Makes the rules of a style sheet known that the page may not read. */
  addStyleSheet(sheet: StyleSheetText): void;
  readonly journey: JourneyProbe;
}

export interface FrameStatus {
  /** Images that load at once and have neither arrived nor failed. */
  pendingImageCount: number;
  isLoadingFonts: boolean;
}

export interface StyleSheetText {
  url: string;
  text: string;
}

import type { BrowserPage } from './browser-page.ts';

/** One running browser with a profile of its own. Disposing of it ends all its processes and removes its files. */
export interface RunningBrowser extends AsyncDisposable {
  /** As the browser reports it, such as `Chrome/140.0.7339.80`. */
  readonly version: string;
  readonly processId: number;
  /** Aborted once the browser's main process is gone. */
  readonly gone: AbortSignal;
  /** A context shares neither cache nor connections with another. */
  createContext(): Promise<string>;
  /** Does what a browser takes longer for the first time, without the network, so that no Visit is the first. */
  warmUp(): Promise<void>;
  openPage(place: PagePlace): Promise<BrowserPage>;
}

export interface PagePlace {
  contextId: string;
  /** Whether the context outlives the page. */
  isContextKept: boolean;
}

import type { z } from 'zod';
import type { BrowserSettingsSchema } from '#core/evaluation/browser-settings.ts';
import type { PageLoadSchema } from '#core/evaluation/page-load.ts';
import type { Engine } from '#core/evaluation/user-agent.ts';
import type { EngineSession } from '#agent/engines/engine.ts';
import { openHttpSession } from './open-http-session.ts';
import { openSession } from './open-session.ts';

export interface ConformanceOptions {
  pageLoad?: z.input<typeof PageLoadSchema>;
  browser?: z.input<typeof BrowserSettingsSchema>;
}

/** What the conformance suite and bench/engines.ts must know of an engine; all else is the same for each. */
export interface ConformanceEngine {
  name: Engine;
  open: (options: ConformanceOptions) => Promise<EngineSession>;
  /** Whether it lays pages out: only then is there a viewport latency. */
  hasViewport: boolean;
  /** Objects of the page of hard cases that it rightly never asks for, as one that runs no scripts. */
  neverAsksFor: ReadonlySet<string>;
}

/** Every engine that the suite is run for: a line here, and it is held to the same as the others. */
export const conformanceEngines: ConformanceEngine[] = [
  { name: 'chrome', open: openSession, hasViewport: true, neverAsksFor: new Set(['lazy-image-far-below']) },
  { name: 'http', open: openHttpSession, hasViewport: false, neverAsksFor: new Set(['early-fetch', 'late-image', 'late-image-below-fold', 'brought-in-image']) },
];

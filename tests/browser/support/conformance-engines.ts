import type { EngineSession } from '#agent/engines/engine.ts';
import { isFirefoxLeftOut } from './find-firefox.ts';
import { openExtensionSession } from './open-extension-session.ts';
import { openHttpSession } from './open-http-session.ts';
import { openFirefoxSession, openSession } from './open-session.ts';
import type { ConformanceOptions } from './conformance-options.ts';

/** What the conformance suite and bench/engines.ts must know of an engine; all else is the same for each. */
export interface ConformanceEngine {
  /** The engine, and where there are several of one its browser. */
  name: string;
  open: (options: ConformanceOptions) => Promise<EngineSession>;
  /** Whether it lays pages out: only then is there a viewport latency. */
  hasViewport: boolean;
  /** Objects of the page of hard cases that it rightly never asks for, as one that runs no scripts. */
  neverAsksFor: ReadonlySet<string>;
  /** Whether it reports how large heads are. */
  measuresHeads: boolean;
}

/** A line here, and it is held to the same as the others. */
const allEngines: ConformanceEngine[] = [
  {
    name: 'chrome',
    open: openSession,
    hasViewport: true,
    neverAsksFor: new Set(['lazy-image-far-below']),
    measuresHeads: true,
  },
  {
    name: 'firefox',
    open: openFirefoxSession,
    hasViewport: true,
    neverAsksFor: new Set(['lazy-image-far-below']),
    measuresHeads: true,
  },
  {
    name: 'extension-chrome',
    open: (options) => openExtensionSession('chrome', options),
    hasViewport: true,
    neverAsksFor: new Set(['lazy-image-far-below']),
    measuresHeads: false,
  },
  {
    name: 'extension-firefox',
    open: (options) => openExtensionSession('firefox', options),
    hasViewport: true,
    neverAsksFor: new Set(['lazy-image-far-below']),
    measuresHeads: false,
  },
  {
    name: 'http',
    open: openHttpSession,
    hasViewport: false,
    neverAsksFor: new Set(['early-fetch', 'late-image', 'late-image-below-fold', 'brought-in-image']),
    measuresHeads: true,
  },
];

/** Every engine that the suite is run for. */
export const conformanceEngines = allEngines.filter(({ name }) => !name.endsWith('firefox') || !isFirefoxLeftOut);

import { makeJourneyProbe } from './journey/journey-probe.ts';
import { listEnds } from './observe-entries.ts';
import { observeFrame } from './observe-frame.ts';
import { readStatus } from './read-status.ts';
import type { Probe } from './probe.ts';
import { reportFrame } from './report-frame.ts';
import { hasMark } from './user-timings.ts';

declare global {
  var httpAeProbe: Probe | undefined;
}

/** Runs in an isolated world of every frame at document start; running it again in the same document changes nothing. */
if (globalThis.httpAeProbe?.document !== document) {
  const observations = observeFrame();
  globalThis.httpAeProbe = {
    document,
    status: readStatus,
    hasMark: (names) => hasMark(observations, names),
    listEnds: (urls) => listEnds(observations.resources, urls),
    report: () => reportFrame(observations),
    addShadowRoot: (root) => observations.closedShadowRoots.set(root.host, root),
    addStyleSheet: ({ url, text }) => observations.styleSheetTexts.set(url, text),
    journey: makeJourneyProbe(observations),
  };
}

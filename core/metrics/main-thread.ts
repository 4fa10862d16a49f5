import { findMainFrame } from './navigation-start.ts';
import type { AbsenceReason, Measured, Metrics } from './metric-definition.ts';
import type { Snapshot } from './snapshot.ts';

const source = 'Trace events of Chrome, grouped as by Lighthouse';

/** What the page's main thread did. Its parts sum to it. */
export const mainThread = {
  mainThreadMs: {
    unit: 'ms',
    label: 'Main thread',
    definition: 'CPU time of the page’s main thread, from navigation start until the page had settled.',
    source,
    since: 9,
    section: 'rendering',
  },
  scriptingMs: {
    unit: 'ms',
    label: 'Main thread: scripting',
    definition: 'Its part for scripts: compiling and running them, and collecting their garbage.',
    source,
    since: 9,
    section: 'rendering',
  },
  layoutMs: {
    unit: 'ms',
    label: 'Main thread: layout',
    definition: 'Its part for styles and layout.',
    source,
    since: 9,
    section: 'rendering',
  },
  paintMs: {
    unit: 'ms',
    label: 'Main thread: paint',
    definition: 'Its part for painting, layers and hit tests.',
    source,
    since: 9,
    section: 'rendering',
  },
  otherThreadMs: {
    unit: 'ms',
    label: 'Main thread: other',
    definition: 'Its part for all else, such as parsing HTML and receiving data.',
    source,
    since: 9,
    section: 'rendering',
  },
} as const satisfies Metrics;

type Part = Exclude<keyof typeof mainThread, 'mainThreadMs'>;

/**
 * The trace events that are distinguished, by what they are for: those of Lighthouse's task groups, with newer names of the same. Time within an event of another name counts for the one
 * around it. https://github.com/GoogleChrome/lighthouse/blob/main/core/lib/tracehouse/task-groups.js
 */
const eventsOfPart: Record<Part, readonly string[]> = {
  scriptingMs: [
    'EvaluateScript',
    'EventDispatch',
    'FireAnimationFrame',
    'FireIdleCallback',
    'FunctionCall',
    'RunMicrotasks',
    'TimerFire',
    'V8.Execute',
    'v8.compile',
    'v8.compileModule',
    'v8.evaluateModule',
    'v8.produceCache',
    'BlinkGC.AtomicPhase',
    'MajorGC',
    'MinorGC',
  ],
  layoutMs: ['InvalidateLayout', 'Layout', 'RecalculateStyles', 'ScheduleStyleRecalculation', 'UpdateLayoutTree'],
  paintMs: [
    'Animation',
    'Commit',
    'CompositeLayers',
    'Decode Image',
    'HitTest',
    'Layerize',
    'Paint',
    'PaintImage',
    'PaintSetup',
    'PrePaint',
    'RasterTask',
    'ScrollLayer',
    'UpdateLayer',
    'UpdateLayerTree',
  ],
  otherThreadMs: ['ParseAuthorStyleSheet', 'ParseHTML', 'RunTask', 'ThreadControllerImpl::RunTask'],
};

const partOf = new Map(
  Object.entries(eventsOfPart).flatMap(([part, names]) => names.map((name) => [name, part as Part] as const)),
);

/** Whether time of the main thread is recorded under this name. */
export function isMainThreadEvent(name: string): boolean {
  return partOf.has(name);
}

/** The time of the page's main thread, and its parts. */
export function measureMainThread(snapshot: Snapshot): Measured<typeof mainThread> {
  const found = readSums(snapshot);
  if (typeof found === 'string') {
    const absent = { reason: found };
    return { mainThreadMs: absent, scriptingMs: absent, layoutMs: absent, paintMs: absent, otherThreadMs: absent };
  }
  const sums: Record<Part, number> = { scriptingMs: 0, layoutMs: 0, paintMs: 0, otherThreadMs: 0 };
  for (const { name, cpuMs } of found) sums[partOf.get(name) ?? 'otherThreadMs'] += cpuMs;
  const { scriptingMs, layoutMs, paintMs, otherThreadMs } = sums;
  return {
    mainThreadMs: { value: scriptingMs + layoutMs + paintMs + otherThreadMs },
    scriptingMs: { value: scriptingMs },
    layoutMs: { value: layoutMs },
    paintMs: { value: paintMs },
    otherThreadMs: { value: otherThreadMs },
  };
}

function readSums(snapshot: Snapshot): { name: string; cpuMs: number }[] | AbsenceReason {
  if (snapshot.viewport === null) return 'unsupported';
  if (snapshot.mainThread?.kind !== 'recorded') return 'not-recorded';
  if (findMainFrame(snapshot).wasEverHidden) return 'page-hidden';
  return snapshot.settled ? snapshot.mainThread.events : 'not-reached';
}

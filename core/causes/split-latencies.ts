import { findCountedObjects } from '../metrics/find-counted-objects.ts';
import { findViewportObjects } from '../metrics/find-viewport-objects.ts';
import { latencyIds, type LatencyId } from '../metrics/index.ts';
import { measureLatencies } from '../metrics/latencies.ts';
import type { PageObject } from '../metrics/page-object.ts';
import type { Snapshot } from '../metrics/snapshot.ts';
import { causeIds, type Parts } from './causes.ts';
import { findCriticalPath, type PathStep } from './critical-path.ts';
import { PageGraph, type GraphNode } from './page-graph.ts';

/** Objects that end so close to the last one may as well have decided: the split is the mean over their paths. */
const tieMs = 10;
/** Of paths that are averaged. */
const mostPaths = 50;

/** The causes of one latency of a Visit. */
export interface LatencyCauses {
  /** Their sum is the latency. */
  parts: Parts;
  /** Of the object that ended last. */
  path: readonly PathStep[];
  /** Over how many paths the parts are averaged. */
  paths: number;
}

/** What may have decided a latency: an object, or an instant of which nothing shows an object. */
interface Ending {
  node: GraphNode | null;
  endMs: number;
}

/** The causes of each latency of a Visit, null for one that is absent. Parts are ms, not negative, and sum to the latency. */
export function splitLatencies(snapshot: Snapshot): Record<LatencyId, LatencyCauses | null> {
  const measured = measureLatencies(snapshot);
  let graph: PageGraph | null = null;
  const split = latencyIds.map((id) => {
    const latency = measured[id];
    if ('reason' in latency) return [id, null] as const;
    graph ??= new PageGraph(snapshot);
    return [id, splitLatency(graph, listEndings(id, graph, snapshot), latency.value)] as const;
  });
  return Object.fromEntries(split) as Record<LatencyId, LatencyCauses | null>;
}

function splitLatency(graph: PageGraph, endings: readonly Ending[], latencyMs: number): LatencyCauses {
  const tied = endings
    .filter(({ endMs }) => endMs <= latencyMs && endMs >= latencyMs - tieMs)
    .sort((a, b) => b.endMs - a.endMs)
    .slice(0, mostPaths);
  const [decider = { node: null }, ...others] = tied;
  const path = findCriticalPath(graph, decider.node, latencyMs);
  // Until the latency's end, the others have what the last object did.
  const paths = [
    path,
    ...others.map(({ node, endMs }) => [...findCriticalPath(graph, node, endMs), ...path.flatMap(beginFrom(endMs))]),
  ];
  const parts = causeIds.map(() => 0);
  for (const steps of paths)
    for (const { cause, startMs, endMs } of steps) parts[causeIds.indexOf(cause)]! += (endMs - startMs) / paths.length;
  return { parts, path, paths: paths.length };
}

/** What of a step is after this instant. */
function beginFrom(instantMs: number): (step: PathStep) => PathStep[] {
  return (step) => (step.endMs > instantMs ? [{ ...step, startMs: Math.max(step.startMs, instantMs) }] : []);
}

/** The objects that a latency waits for, as `measureLatencies` has them. */
function listEndings(id: LatencyId, graph: PageGraph, snapshot: Snapshot): Ending[] {
  const endAt = (object: PageObject | null, endEpochMs: number | null): Ending[] =>
    endEpochMs === null ? [] : [{ node: object && graph.nodeOf(object), endMs: endEpochMs - graph.originEpochMs }];
  const base = graph.base === null ? [] : endAt(graph.base.object, graph.base.object.endEpochMs);
  switch (id) {
    case 'baseMs':
      return base;
    case 'totalMs':
      return findCountedObjects(snapshot).flatMap((object) => endAt(object, object.endEpochMs));
    case 'viewportMs':
      return [
        ...base,
        ...(findViewportObjects(snapshot) ?? []).flatMap(({ object, endEpochMs }) => endAt(object, endEpochMs)),
      ];
  }
}

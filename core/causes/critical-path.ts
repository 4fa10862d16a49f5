import type { CauseId } from './causes.ts';
import type { GraphNode, PageGraph } from './page-graph.ts';
import { clockErrorMs, saidServerTime, type ObjectPhase } from './request-phases.ts';

/** A stretch of a critical path, in ms from navigation start. */
export interface PathStep {
  cause: CauseId;
  startMs: number;
  endMs: number;
  /** Whose time it is, or who waited: an object by its place among those of the Snapshot, and its hop. Null where there is none. */
  of: { object: number; hop: number } | null;
  /** No engine names what this object waited for: it is what the page was most likely waiting for. */
  isAssumed: boolean;
}

/** More objects than this name each other only on pages that mean harm. */
const mostObjects = 1000;

/**
 * What the end of an object waited for, from navigation start to `endMs`: its own phases, and before them those of what named it, redirected to it or held it up, and so on.
 * The steps follow each other without a gap, so that every instant belongs to one cause.
 * The walk is that of WProf (Wang et al., NSDI 2013), on what a Snapshot knows. `last`: null where nothing shows what ended then.
 */
export function findCriticalPath(graph: PageGraph, last: GraphNode | null, endMs: number): PathStep[] {
  const path = new BackwardPath(graph, endMs);
  let node = last ?? graph.base;
  if (node === null || node.endMs < endMs) path.fill('unexplained', node === null ? 0 : node.endMs);
  let isAssumed = false;
  for (let count = 0; node !== null && count < mostObjects; count++) {
    path.addPhases(node, isAssumed);
    if (node === graph.base) break;
    const wait = graph.findWait(node);
    if (wait === null) break;
    ({ isAssumed } = wait);
    // It may still have been coming when it named this one.
    path.fill('browser', wait.node.endMs, { of: firstHopOf(node), isAssumed });
    node = wait.node;
  }
  for (const earlier of graph.base === node ? graph.earlier : []) {
    path.fill('redirect', earlier.endMs);
    path.addPhases(earlier, false);
  }
  path.fill(node === graph.base ? 'start' : 'unexplained', 0, { of: node && firstHopOf(node), isAssumed: false });
  return path.steps();
}

function firstHopOf(node: GraphNode): PathStep['of'] {
  return { object: node.index, hop: 0 };
}

/** Steps that are added from the end on. */
class BackwardPath {
  readonly #graph: PageGraph;
  readonly #steps: PathStep[] = [];
  #cursor: number;

  constructor(graph: PageGraph, endMs: number) {
    this.#graph = graph;
    this.#cursor = endMs;
  }

  steps(): PathStep[] {
    return this.#steps.toReversed();
  }

  /** From `fromMs` until what has been added. */
  fill(
    cause: CauseId,
    fromMs: number,
    whose: Pick<PathStep, 'of' | 'isAssumed'> = { of: null, isAssumed: false },
  ): void {
    const startMs = Math.max(fromMs, 0);
    if (startMs >= this.#cursor) return;
    const step = { cause, startMs, endMs: this.#cursor, ...whose };
    const next = this.#steps.at(-1);
    if (next && isSameBut(next, step)) next.startMs = startMs;
    else this.#steps.push(step);
    this.#cursor = startMs;
  }

  /** The phases of an object, as far as they are before what has been added. */
  addPhases(node: GraphNode, isAssumed: boolean): void {
    for (const phase of node.phases.toReversed()) {
      if (phase.startMs >= this.#cursor) continue;
      const whose = { of: { object: node.index, hop: phase.hop }, isAssumed };
      const cause = this.#causeOf(node, phase);
      if (cause === 'queue') this.#addUnsent(node, phase, whose);
      else if (cause === 'roundTrip') this.#addAnswer(node, phase, whose);
      else this.fill(cause, phase.startMs, whose);
    }
  }

  #causeOf(node: GraphNode, { kind, hop }: ObjectPhase): CauseId {
    const { hops, failed } = node.object;
    const { base, earlier } = this.#graph;
    if (kind === 'dns' || kind === 'connect' || kind === 'tls') return kind;
    if (node === (earlier.at(-1) ?? base) && hop === 0 && kind === 'blocked') return 'start';
    const isLaterPage = node === base && earlier.length > 0 && kind === 'blocked';
    if (hop < hops.length - 1 || earlier.includes(node) || isLaterPage) return 'redirect';
    const request = hops[hop];
    if (request?.fromCache) return 'browser';
    const isUnanswered = request?.responseEpochMs === null && (failed || request.sentEpochMs === null);
    if (kind === 'undivided' || isUnanswered) return 'unexplained';
    if (kind === 'receive') return 'receive';
    return kind === 'blocked' ? 'queue' : 'roundTrip';
  }

  /** What was asked for and not sent waited for the answer to its preflight, if it had one, and otherwise for a connection. */
  #addUnsent(node: GraphNode, phase: ObjectPhase, whose: Pick<PathStep, 'of' | 'isAssumed'>): void {
    const preflight = this.#graph.preflightOf(node, phase);
    if (preflight) {
      this.#addQueue(node, { ...phase, startMs: preflight.endMs }, whose);
      this.addPhases(preflight, whose.isAssumed);
    }
    this.#addQueue(node, phase, whose);
  }

  /** While a connection to its host was being opened it waited for that, of several for the one that was there first. */
  #addQueue(node: GraphNode, phase: ObjectPhase, whose: Pick<PathStep, 'of' | 'isAssumed'>): void {
    const openings = this.#graph.openingsTo(node.object.hops[phase.hop]?.url ?? node.object.url);
    const until = Math.min(phase.endMs, this.#cursor);
    const instants = openings
      .flatMap(({ startMs, tlsMs, endMs }) => [startMs, tlsMs, endMs])
      .filter((ms) => ms > phase.startMs && ms < until);
    for (const from of [phase.startMs, ...instants].sort((a, b) => b - a)) {
      const opening = openings.find(({ startMs, endMs }) => startMs <= from && endMs > from);
      this.fill(opening ? (from >= opening.tlsMs ? 'tls' : 'connect') : 'queue', from, whose);
    }
  }

  /** The round trip comes first; then what the server says that it took, or else what the answer took beyond the least round trip. */
  #addAnswer(node: GraphNode, phase: ObjectPhase, whose: Pick<PathStep, 'of' | 'isAssumed'>): void {
    const own = node.phases.filter(({ kind, hop }) => hop === phase.hop && (kind === 'send' || kind === 'wait'));
    const [sentMs, answerMs] = [(own[0] ?? phase).startMs, (own.at(-1) ?? phase).endMs];
    const least = this.#graph.leastRoundTripTo(node.object.hops[phase.hop]?.url ?? node.object.url) ?? Infinity;
    const saidMs = saidServerTime(node.object, phase.hop);
    const isCredible =
      saidMs !== null && answerMs - saidMs >= sentMs + Math.min(least, answerMs - sentMs) - clockErrorMs;
    const arrivedMs = isCredible ? answerMs - saidMs : sentMs + least;
    this.fill('server', Math.min(Math.max(arrivedMs, phase.startMs), phase.endMs), whose);
    this.fill('roundTrip', phase.startMs, whose);
  }
}

function isSameBut(one: PathStep, other: PathStep): boolean {
  return (
    one.cause === other.cause &&
    one.isAssumed === other.isAssumed &&
    one.of?.object === other.of?.object &&
    one.of?.hop === other.of?.hop
  );
}

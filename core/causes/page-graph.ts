import { findBasePage } from '../metrics/latencies.ts';
import { findPageObjects } from '../metrics/find-page-objects.ts';
import { findNavigationStart } from '../metrics/navigation-start.ts';
import { withoutFragment, type PageObject } from '../metrics/page-object.ts';
import type { Snapshot } from '../metrics/snapshot.ts';
import {
  clockErrorMs,
  layOutObject,
  findLeastRoundTrips,
  originOf,
  type PhaseKind,
  type ObjectPhase,
  type PhasedObject,
} from './request-phases.ts';

/** An object that a latency may have waited for. Times are ms from navigation start. */
export interface GraphNode extends PhasedObject {
  /** Its place among the objects of the Snapshot. */
  index: number;
  startMs: number;
  /** Until the Snapshot was taken, where it had not ended. */
  endMs: number;
}

/** What an object waited for before it was asked for. `isAssumed`: no engine names it; it is what the page was most likely waiting for. */
export interface Wait {
  node: GraphNode;
  isAssumed: boolean;
}

/** How long the page may need, after a style sheet or a script has come, to ask for what it held up: more is time of its own. */
const heldUpMs = 50;

/** What was fetched, what named it, and how far hosts are: what the walk along a critical path needs of one Snapshot. */
export class PageGraph {
  readonly originEpochMs: number;
  readonly base: GraphNode | null;
  /** Documents that the page had before it led itself elsewhere, the latest first. */
  readonly earlier: readonly GraphNode[];
  readonly #nodes: readonly GraphNode[];
  readonly #byObject: ReadonlyMap<PageObject, GraphNode>;
  readonly #byUrl: ReadonlyMap<string, readonly GraphNode[]>;
  readonly #documents: ReadonlyMap<string, GraphNode>;
  /** Style sheets and scripts of each frame, by their end. */
  readonly #blockers: ReadonlyMap<string, readonly GraphNode[]>;
  readonly #openings: ReadonlyMap<string, readonly Opening[]>;
  readonly #leastRoundTripMs: ReadonlyMap<string, number>;

  constructor(snapshot: Snapshot) {
    this.originEpochMs = findNavigationStart(snapshot);
    const clock = { originEpochMs: this.originEpochMs, untilEpochMs: snapshot.takenEpochMs };
    this.#nodes = findPageObjects(snapshot).map((object, index) => describeNode(object, { index, clock }));
    this.#byObject = new Map(this.#nodes.map((node) => [node.object, node]));
    const inOrder = this.#nodes.toSorted((a, b) => a.startMs - b.startMs);
    this.#byUrl = groupByUrl(inOrder);
    this.#documents = new Map(
      this.#nodes.flatMap((node) =>
        isOwnDocument(node.object) ? [[placeOf(node.object.frame?.path ?? []), node] as const] : [],
      ),
    );
    const byEnd = this.#nodes.toSorted((a, b) => a.endMs - b.endMs);
    this.#blockers = Map.groupBy(byEnd.filter(mayHoldUp), ({ object }) => placeOfAsking(object));
    this.#openings = findOpenings(this.#nodes);
    this.#leastRoundTripMs = findLeastRoundTrips(this.#nodes);
    const base = findBasePage(snapshot);
    this.base = base ? this.#byObject.get(base)! : null;
    this.earlier = this.#nodes
      .filter((node) => node.object.hops[0]?.isMainDocument && node.startMs < (this.base?.startMs ?? -Infinity))
      .sort((a, b) => b.startMs - a.startMs);
  }

  nodeOf(object: PageObject): GraphNode {
    return this.#byObject.get(object)!;
  }

  /** What had to be answered before a hop could be sent, within that time; null where there was none. https://fetch.spec.whatwg.org/#cors-preflight-fetch */
  preflightOf({ object }: GraphNode, { hop, startMs, endMs }: ObjectPhase): GraphNode | null {
    if (object.type === 'preflight') return null;
    const ofAddress = this.#byUrl.get(withoutFragment(object.hops[hop]?.url ?? object.url)) ?? [];
    const isWithin = (each: GraphNode) =>
      each.object.type === 'preflight' && each.startMs >= startMs - clockErrorMs && each.endMs <= endMs + clockErrorMs;
    return ofAddress.find(isWithin) ?? null;
  }

  /** Connections to the host of a request that were being opened. */
  openingsTo(url: string): readonly Opening[] {
    return this.#openings.get(originOf(url)) ?? [];
  }

  /** The least time that this host needed in this Visit between a request and its answer, without what its server says that it took, or for a connection; null where nothing shows it. */
  leastRoundTripTo(url: string): number | null {
    return this.#leastRoundTripMs.get(originOf(url)) ?? null;
  }

  /** What an object waited for before it was asked for; null for the base page, and where nothing is known to have come before it. */
  findWait(node: GraphNode): Wait | null {
    const named = this.#findInitiator(node);
    const heldUp = this.#findBlocker(node);
    if (!named.isAssumed && named.node) {
      const isHeldUp = heldUp !== null && heldUp.endMs > named.node.endMs && node.startMs - heldUp.endMs <= heldUpMs;
      return isHeldUp ? { node: heldUp, isAssumed: true } : { node: named.node, isAssumed: false };
    }
    if (heldUp && heldUp.endMs > (named.node?.endMs ?? -Infinity)) return { node: heldUp, isAssumed: true };
    return named.node && { node: named.node, isAssumed: true };
  }

  /** By its address where an engine reports that, else the document of its frame, or of the frame that contains it. */
  #findInitiator(node: GraphNode): { node: GraphNode | null; isAssumed: boolean } {
    const { object } = node;
    const initiatorUrl = object.hops[0]?.initiatorUrl ?? null;
    if (initiatorUrl !== null) {
      const candidates = this.#byUrl.get(withoutFragment(initiatorUrl)) ?? [];
      // Not itself, where a script fetches the address of its own page.
      const initiator = findLastOf(candidates, ({ startMs }) => startMs < node.startMs);
      if (initiator) return { node: initiator, isAssumed: false };
    }
    const document = this.#documents.get(placeOfAsking(object)) ?? this.base;
    return document && document !== node && document.startMs < node.startMs
      ? { node: document, isAssumed: true }
      : { node: this.base === node ? null : this.base, isAssumed: true };
  }

  /** The last style sheet or script of its frame that had come by then. */
  #findBlocker(node: GraphNode): GraphNode | null {
    const blockers = this.#blockers.get(placeOfAsking(node.object)) ?? [];
    const blocker = findLastOf(blockers, ({ endMs }) => endMs <= node.startMs);
    return blocker && blocker !== node && blocker.startMs < node.startMs ? blocker : null;
  }
}

/** A connection on its way; the handshake of TLS, if there is one, is the part from `tlsMs` on. */
export interface Opening {
  startMs: number;
  tlsMs: number;
  endMs: number;
}

function describeNode(
  object: PageObject,
  { index, clock }: { index: number; clock: { originEpochMs: number; untilEpochMs: number } },
): GraphNode {
  const startMs = object.startEpochMs - clock.originEpochMs;
  const endMs = Math.max(startMs, (object.endEpochMs ?? clock.untilEpochMs) - clock.originEpochMs);
  return { object, index, startMs, endMs, phases: fillGaps(layOutObject(object, clock), { startMs, endMs }) };
}

/** Phases that follow each other from the start to the end: what lies between two is `blocked`, and what is beyond an end is left out. */
function fillGaps(
  phases: readonly ObjectPhase[],
  { startMs, endMs }: { startMs: number; endMs: number },
): ObjectPhase[] {
  const filled: ObjectPhase[] = [];
  let cursor = startMs;
  const add = (kind: PhaseKind, untilMs: number, hop: number) => {
    const end = Math.min(untilMs, endMs);
    if (end <= cursor) return;
    filled.push({ kind, startMs: cursor, endMs: end, hop });
    cursor = end;
  };
  for (const phase of phases) {
    add('blocked', phase.startMs, phase.hop);
    add(phase.kind, phase.endMs, phase.hop);
  }
  const last = phases.at(-1);
  // In Firefox, the entry of a page may end with the first byte of its answer.
  add(last?.kind === 'wait' || last?.kind === 'receive' ? 'receive' : 'undivided', endMs, last?.hop ?? 0);
  return filled;
}

function groupByUrl(inOrder: readonly GraphNode[]): Map<string, GraphNode[]> {
  const byUrl = new Map<string, GraphNode[]>();
  for (const node of inOrder) {
    const urls = new Set([node.object.url, ...node.object.hops.map(({ url }) => withoutFragment(url))]);
    for (const url of urls) {
      const own = byUrl.get(url);
      if (own) own.push(node);
      else byUrl.set(url, [node]);
    }
  }
  return byUrl;
}

/** What may hold up the page: a style sheet, and a script that is not known to run beside it. */
function mayHoldUp({ object }: GraphNode): boolean {
  const isBlocking = object.hops[0]?.isRenderBlocking ?? null;
  return (object.type === 'style-sheet' || object.type === 'script') && isBlocking !== false;
}

function findOpenings(nodes: readonly GraphNode[]): Map<string, Opening[]> {
  const openings = new Map<string, Opening[]>();
  for (const { object, phases } of nodes) {
    for (const [hop, own] of Map.groupBy(phases, (phase) => phase.hop)) {
      const connect = own.find(({ kind }) => kind === 'connect');
      const tls = own.find(({ kind }) => kind === 'tls');
      const first = connect ?? tls;
      if (!first) continue;
      const origin = originOf(object.hops[hop]?.url ?? object.url);
      const opening = {
        startMs: first.startMs,
        tlsMs: tls?.startMs ?? first.endMs,
        endMs: tls?.endMs ?? first.endMs,
      };
      const known = openings.get(origin);
      if (known) known.push(opening);
      else openings.set(origin, [opening]);
    }
  }
  for (const each of openings.values()) each.sort((a, b) => a.endMs - b.endMs);
  return openings;
}

/** Of its frame. An entry of a frame, or of an `object`, is of the frame that contains it. */
function isOwnDocument({ type, frame, entry }: PageObject): boolean {
  return type === 'document' && frame !== null && entry === null;
}

/** Of the frame that asked for an object: for a frame's document, the one that contains it. */
function placeOfAsking(object: PageObject): string {
  const path = object.frame?.path ?? [];
  return placeOf(isOwnDocument(object) ? path.slice(0, -1) : path);
}

function placeOf(path: readonly (number | null)[]): string {
  return path.join('/');
}

/** The last one that is early enough, of those in the order of the instant that decides this. */
function findLastOf(inOrder: readonly GraphNode[], isEarly: (node: GraphNode) => boolean): GraphNode | null {
  let [low, high] = [0, inOrder.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isEarly(inOrder[middle]!)) low = middle + 1;
    else high = middle;
  }
  return inOrder[low - 1] ?? null;
}

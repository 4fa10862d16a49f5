import { latencyIds, type LatencyId } from '../metrics/index.ts';
import { measureLatencies } from '../metrics/latencies.ts';
import { findReplayMisses, wasSent } from '../metrics/replay-misses.ts';
import type { NetworkRequest } from '../metrics/network-request.ts';
import type { Snapshot } from '../metrics/snapshot.ts';
import { hasReplayableHost } from './compose-hosts.ts';
import { addressOf, createReplaySession, indexExchanges, matchRequest } from './match-request.ts';
import type { Site, SiteExchange } from './site.ts';

interface Compared {
  recorded: number;
  /** Null where it is not known, as the number of connections of some engines. */
  replayed: number | null;
}

/**
 * How like its recording a replayed page was, by what its Snapshot says of requests. Bodies and most headers of requests are not known there: a request whose URL was recorded counts as exact.
 */
export interface ReplayComparison {
  /** Recorded URLs, and how many of them the page asked for, at hosts that the replay has. */
  objects: Compared;
  /** Of bodies as they crossed the network. */
  bytes: Compared;
  hosts: Compared;
  /** Null where the recording does not know them. */
  connections: Compared | null;
  /** The largest share of the objects that came in the order of the recording; null with fewer than two. */
  orderRatio: number | null;
  /** They depend on the link: no part of the score. */
  latencies: Record<LatencyId, { recordedMs: number | null; replayedMs: number | null }>;
  /** URLs that were answered by the recording of another. */
  inexact: string[];
  /** URLs that the recording has nothing like, on hosts that it has. */
  misses: string[];
  /** URLs on hosts that the replay does not have: those that were not recorded, addresses, and other ports. */
  unknownHosts: string[];
  /** Recorded URLs that the page did not ask for. */
  missing: string[];
  /** Of WebSockets that the recorded page opened. A replay refuses all WebSockets, and they are no part of the score. */
  webSockets: string[];
  /**
   * From 0 to 1: the mean of those that are known of five parts. Objects: recorded ones that were asked for at hosts of the replay, of all that were recorded or asked for. Bytes, hosts,
   * connections: the smaller number over the larger. Order: its ratio.
   */
  score: number;
}

export function compareReplay(
  snapshot: Snapshot,
  { site, page, visit }: { site: Site; page: number; visit: number },
): ReplayComparison {
  const recorded = site.exchanges
    .filter((exchange) => exchange.page === page && exchange.visit === visit)
    .sort((one, other) => one.startMs - other.startMs);
  const recordedUrls = new Set(recorded.map(({ url }) => plainAddress(url)));
  const requests = snapshot.requests.filter(wasSent).sort((one, other) => one.startEpochMs - other.startEpochMs);
  const misses = new Set(findReplayMisses(snapshot).misses);
  const { given, inexact, unknownHosts } = assign(
    requests.filter((request) => !misses.has(request)),
    { site, page, visit, recordedUrls },
  );
  const missed = [...misses].map(({ url }) => url);
  const asked = [...new Set(given.map(({ url }) => plainAddress(url)))];
  const unanswered = [...missed, ...unknownHosts].map(plainAddress);
  const isAsked = new Set([...asked, ...unknownHosts.map(plainAddress)]);
  const objects = { recorded: recordedUrls.size, replayed: asked.length };
  const bytes = { recorded: sum(recorded.map(({ body }) => body?.bytes ?? 0)), replayed: sumBytes(requests) };
  const hosts = { recorded: countHosts(recorded), replayed: countHosts(requests) };
  const connections = compareConnections(recorded, requests);
  const orderRatio = readOrder(asked, [...recordedUrls]);
  const known = [
    objects.replayed / new Set([...recordedUrls, ...unanswered]).size,
    ...[bytes, hosts, connections].flatMap((compared) => similarityOf(compared) ?? []),
    ...(orderRatio === null ? [] : [orderRatio]),
  ];
  const measured = site.pages.find(({ number }) => number === page)?.visits[visit - 1];
  return {
    objects,
    bytes,
    hosts,
    connections,
    orderRatio,
    latencies: compareLatencies(snapshot, measured),
    inexact,
    misses: missed,
    unknownHosts,
    missing: [...recordedUrls].filter((url) => !isAsked.has(url)),
    webSockets: measured?.webSockets ?? [],
    score: sum(known) / known.length,
  };
}

interface Assigned {
  /** What was recorded for each request. */
  given: SiteExchange[];
  inexact: string[];
  unknownHosts: string[];
}

function plainAddress(url: string): string {
  return addressOf(url) ?? url;
}

/** Which recordings the replay answered requests by, as it chose them itself (`matchRequest`). One that had no answer yet may have none. */
function assign(
  requests: readonly NetworkRequest[],
  { site, page, visit, recordedUrls }: { site: Site; page: number; visit: number; recordedUrls: ReadonlySet<string> },
): Assigned {
  const index = indexExchanges(site, { page, visit });
  const session = createReplaySession();
  const hosts = new Set(
    [...recordedUrls]
      .map((url) => new URL(url))
      .filter(hasReplayableHost)
      .map(({ host }) => host),
  );
  const assigned: Assigned = { given: [], inexact: [], unknownHosts: [] };
  for (const { url, type, exchange } of requests) {
    if (!hosts.has(URL.parse(url)?.host ?? '')) {
      assigned.unknownHosts.push(url);
      continue;
    }
    const method = exchange?.method ?? (type === 'preflight' ? 'OPTIONS' : 'GET');
    const headers = (exchange?.headers?.request ?? []).map(({ name, value }) => [name, value] as const);
    const match = matchRequest(index, { method, url, headers, bodySha256: null }, session);
    if (match.kind !== 'miss') {
      assigned.given.push(match.exchange);
      if (!recordedUrls.has(plainAddress(url))) assigned.inexact.push(url);
    }
  }
  return assigned;
}

/** Null where the engine reports of no body how large it was. */
function sumBytes(requests: readonly NetworkRequest[]): number | null {
  const known = requests.flatMap(({ receivedBodyBytes, receivedBytes }) => receivedBodyBytes ?? receivedBytes ?? []);
  return known.length === 0 ? null : sum(known);
}

function countHosts(those: readonly { url: string }[]): number {
  return new Set(those.map(({ url }) => URL.parse(url)?.hostname)).size;
}

function compareConnections(
  recorded: readonly SiteExchange[],
  requests: readonly NetworkRequest[],
): ReplayComparison['connections'] {
  const count = (ids: readonly (string | number | null)[]) => new Set(ids.filter((id) => id !== null)).size;
  const recordedCount = count(recorded.map(({ connection }) => connection));
  if (recordedCount === 0) return null;
  return { recorded: recordedCount, replayed: count(requests.map(({ connectionId }) => connectionId)) || null };
}

function similarityOf(compared: Compared | null): number | null {
  if (compared === null || compared.replayed === null) return null;
  const { recorded, replayed } = compared;
  const larger = Math.max(recorded, replayed);
  return larger === 0 ? 1 : Math.min(recorded, replayed) / larger;
}

/** By the longest increasing subsequence of the recorded places, in the order of the replay. */
function readOrder(asked: readonly string[], recordedUrls: readonly string[]): number | null {
  if (asked.length < 2) return null;
  const placeOf = new Map(recordedUrls.map((url, place) => [url, place]));
  /** By length, less 1: the smallest place that a subsequence of this length can end with. */
  const ends: number[] = [];
  for (const url of asked) {
    const place = placeOf.get(url)!;
    ends[countBelow(ends, place)] = place;
  }
  return ends.length / asked.length;
}

/** How many of ascending numbers are smaller. */
function countBelow(ascending: readonly number[], limit: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle]! < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

function compareLatencies(
  snapshot: Snapshot,
  recorded: Site['pages'][number]['visits'][number] | undefined,
): ReplayComparison['latencies'] {
  const measured = measureLatencies(snapshot);
  const compare = (id: LatencyId) => {
    const measurement = measured[id];
    return { recordedMs: recorded?.[id] ?? null, replayedMs: 'value' in measurement ? measurement.value : null };
  };
  return Object.fromEntries(latencyIds.map((id) => [id, compare(id)])) as ReplayComparison['latencies'];
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

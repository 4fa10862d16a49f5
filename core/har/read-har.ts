import type { z } from 'zod';
import type { MetricId } from '../metrics/index.ts';
import { comesOverNetwork } from '../metrics/page-object.ts';
import type { NetworkRequest } from '../metrics/network-request.ts';
import { maximumUrlCharacters } from '../metrics/snapshot-bounds.ts';
import type { HarTimings } from './har.ts';
import { readHarMoments, readHarType } from './har-words.ts';
import {
  connectionOf,
  HarEntrySchema,
  isFromCache,
  joinPhases,
  known,
  nameProtocol,
  parseHar,
  refuseHar,
  type ParsedHar,
} from './parse-har.ts';
import { redactUrl } from './redact-url.ts';

type Entry = z.output<typeof HarEntrySchema>;

/** A HAR with the bodies of a large page has some ten megabytes. */
export const mostHarBytes = 128 * 1024 * 1024;

/** What a HAR says of a load that another program recorded. */
export interface ReadHar {
  /** Of the program that wrote it, with its version. */
  creator: string;
  pages: HarLoad[];
}

/** One page of a HAR. */
export interface HarLoad {
  title: string;
  /** Of the page, or of its first request where that began before. */
  startEpochMs: number;
  /** Moments of the page by the metrics that are nearest to them, in ms from its start. */
  moments: Partial<Record<MetricId, number>>;
  /** In the order of their starts. */
  requests: HarRequest[];
  /** How many entries are none of the network, such as `data:` URLs. */
  leftOut: number;
}

export interface HarRequest {
  url: string;
  type: NetworkRequest['type'];
  startEpochMs: number;
  /** `ssl` is part of `connect`. */
  timings: HarTimings;
  /** As the file says; null where it does not. */
  timeMs: number | null;
  failure: string | null;
  status: number | null;
  /** As ALPN names it. */
  protocol: string | null;
  fromCache: boolean;
  connectionId: string | null;
  serverAddress: string | null;
  initiatorUrl: string | null;
  /** Header and body, as far as the file has them. */
  receivedBytes: number | null;
  decodedBytes: number | null;
}

/**
 * Reads a HAR 1.2 as browsers and tools write it. `name` is that of the file. Throws `invalid-input` with what is wrong, and where. Cookies, headers and
 * bodies are not read, and secret values of addresses are left out.
 */
export function readHar(bytes: Uint8Array, name: string): ReadHar {
  if (bytes.length > mostHarBytes)
    throw refuseHar(name, `has more than ${mostHarBytes / 1024 ** 2} MiB: save it without the contents of responses`);
  const { creator, loads } = parseHar(bytes, { name, entry: HarEntrySchema });
  return { creator, pages: loads.map(readLoad) };
}

function readLoad({ page, entries, others }: ParsedHar<Entry>['loads'][number]): HarLoad {
  const requests = entries.map(readEntry);
  const [first] = requests;
  const startEpochMs = Math.min(page?.startedDateTime ?? Infinity, first!.startEpochMs);
  return {
    title: redactUrl((page?.title || first!.url).slice(0, maximumUrlCharacters)),
    startEpochMs,
    moments: page ? readHarMoments(page.pageTimings ?? {}, page.startedDateTime - startEpochMs) : {},
    requests,
    leftOut: others.length,
  };
}

function readEntry(entry: Entry): HarRequest {
  const { request, response, timings, startedDateTime } = entry;
  const { status = 0, content, _error: error } = response ?? {};
  const timeMs = known(entry.time);
  return {
    url: cleanUrl(request.url),
    type: readHarType(entry._resourceType, content?.mimeType ?? ''),
    startEpochMs: startedDateTime,
    timings: joinPhases(timings ?? {}, timeMs),
    timeMs,
    failure: typeof error === 'string' && error !== '' ? error.slice(0, 1024) : null,
    status: status > 0 ? status : null,
    protocol: nameProtocol(response?.httpVersion ?? ''),
    fromCache: isFromCache(entry),
    connectionId: connectionOf(entry),
    serverAddress: entry.serverIPAddress?.replace(/^\[(.*)\]$/, '$1').slice(0, 64) || null,
    initiatorUrl: readInitiator(entry._initiator),
    receivedBytes: known(response?._transferSize) ?? sumBytes(known(response?.headersSize), known(response?.bodySize)),
    decodedBytes: known(content?.size),
  };
}

const cleanUrl = (url: string) => redactUrl(url.slice(0, maximumUrlCharacters));

/** The body alone where the header is not known. */
function sumBytes(headers: number | null, body: number | null): number | null {
  return body === null ? null : body + (headers ?? 0);
}

/** An address, or an object that has one. */
function readInitiator(initiator: unknown): string | null {
  const url = typeof initiator === 'object' && initiator !== null && 'url' in initiator ? initiator.url : initiator;
  return typeof url === 'string' && comesOverNetwork(url) ? cleanUrl(url) : null;
}

import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { assertNever } from '#core/assert-never.ts';
import type { RecordedVisit } from '#core/protocol/api/stored-site.ts';
import { compareReplay } from '#core/site/compare-replay.ts';
import { outlineSite, replayedVisit } from '#core/site/compose-hosts.ts';
import { mostIndexBytes, SiteSchema, type Site } from '#core/site/site.ts';
import { summariseSite } from '#core/site/summarise-site.ts';
import { formatStorableJson } from '../database/storable-json.ts';
import { readStoredSnapshot, type StoredSnapshot } from '../visits/written-snapshot.ts';

/** What a Site is stored as. */
export interface PreparedSite {
  title: string;
  /** What lists show, as JSON. */
  summary: string;
  /** All but the bodies, as JSON compressed by zstd. */
  index: Uint8Array;
}

export function prepareSite(site: Site): PreparedSite {
  const { pages, hosts } = summariseSite(site);
  const summary = {
    title: site.title,
    recordedAt: new Date(site.recordedEpochMs).toISOString(),
    pages: pages.map(({ number, url, title }) => ({ number, url, title })),
    hosts: hosts.length,
    objects: sum(pages.map(({ objects }) => objects)),
    bodyBytes: sum(pages.map(({ bytes }) => bytes)),
  };
  return { title: site.title, summary: formatStorableJson(summary), index: zstdCompressSync(JSON.stringify(site)) };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/**
 * What may be asked of the index of a Site, and what the answer is: `outline`: a SiteOutline; `contents`: a SiteSummary; `visit`: a RecordedVisit; `replay`: a ReplayComparison of the
 * Snapshot of a Visit with the recording of this page.
 */
export type IndexQuestion =
  | { kind: 'outline' }
  | { kind: 'contents' }
  | { kind: 'visit'; page: number; visit: number }
  | { kind: 'replay'; page: number; snapshot: StoredSnapshot };

/** An index with more JSON than somebody wants to parse. */
export class IndexTooLargeError extends Error {
  override readonly name = 'IndexTooLargeError';
}

/**
 * The answer as JSON. Throws IndexTooLargeError or SnapshotTooLargeError where the JSON of one has more bytes than `mostBytes`, before any of it is parsed, and any other error where it is
 * none. `mostBytes`: as much as each may have when left out.
 */
export function askIndex(index: Uint8Array, question: IndexQuestion, mostBytes?: number): string {
  const site = readIndex(index, mostBytes);
  switch (question.kind) {
    case 'outline':
      return JSON.stringify(outlineSite(site));
    case 'contents':
      return JSON.stringify(summariseSite(site));
    case 'visit':
      return JSON.stringify(pickVisit(site, question));
    case 'replay': {
      const snapshot = readStoredSnapshot(question.snapshot, mostBytes);
      return JSON.stringify(compareReplay(snapshot, { site, page: question.page, visit: replayedVisit }));
    }
    default:
      return assertNever(question);
  }
}

function readIndex(index: Uint8Array, mostBytes: number = mostIndexBytes): Site {
  let json: Buffer;
  try {
    json = zstdDecompressSync(index, { maxOutputLength: mostBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') throw error;
    throw new IndexTooLargeError(`The index has more than ${mostBytes} bytes`, { cause: error });
  }
  return SiteSchema.parse(JSON.parse(json.toString()));
}

function pickVisit({ exchanges, pages }: Site, { page, visit }: { page: number; visit: number }): RecordedVisit {
  const { baseMs = null, viewportMs = null, totalMs = null } = pages[page - 1]?.visits[visit - 1] ?? {};
  return {
    exchanges: exchanges.filter((exchange) => exchange.page === page && exchange.visit === visit),
    latencies: { baseMs, viewportMs, totalMs },
  };
}

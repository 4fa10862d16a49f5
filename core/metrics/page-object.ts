import type { FrameSnapshot, ResourceEntry } from './frame-snapshot.ts';
import type { NetworkRequest } from './network-request.ts';

/** One thing that the page fetched: what the probe and the engine each saw of it, brought together. */
export interface PageObject {
  /** As first requested, without its fragment. */
  url: string;
  type: NetworkRequest['type'];
  /** The frame that fetched it, or whose document it is; null where only the engine saw it. */
  frame: FrameSnapshot | null;
  startEpochMs: number;
  /** Last byte, or the failure; null while it was in flight when the Snapshot was taken. */
  endEpochMs: number | null;
  failed: boolean;
  /** Every hop of its redirects; empty where only the probe saw it. */
  hops: readonly NetworkRequest[];
  /** Null for documents, and where only the engine saw it. */
  entry: ResourceEntry | null;
}

/** URLs are compared without their fragments, which no request carries. */
export function withoutFragment(url: string): string {
  const start = url.indexOf('#');
  return start === -1 ? url : url.slice(0, start);
}

export function comesOverNetwork(url: string): boolean {
  return /^https?:/i.test(url);
}

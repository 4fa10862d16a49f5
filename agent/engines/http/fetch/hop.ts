import type { NetworkRequest } from '#core/metrics/network-request.ts';
import type { ObjectType, Urgency } from '#core/page-objects/wish.ts';
import type { NetworkError } from '../network/network-error.ts';
import type { ConnectionTimes } from '../network/open-connection.ts';

/** What a page asks for. */
export interface PageRequest {
  url: string;
  type: ObjectType;
  urgency: Urgency;
  /** The document or style sheet that names it; null for the page itself. */
  initiatorUrl: string | null;
  /** As Resource Timing names what asked. https://w3c.github.io/resource-timing/#dom-performanceresourcetiming-initiatortype */
  initiatorType: string;
  isMainDocument?: boolean;
}

/** One request of a chain of redirects, while it is under way and after. */
export interface Hop {
  /** What the Snapshot has of it. */
  readonly request: NetworkRequest;
  /** Of the connection, where it was opened for this request; null for one that was there, and for what came from the cache. */
  connectionTimes: ConnectionTimes | null;
  /** Bytes of the body as they came. */
  encodedBytes: number;
  failure: NetworkError | null;
}

/** Something that was asked for, with all its redirects, when it is over. */
export interface FetchedObject {
  readonly hops: readonly [Hop, ...Hop[]];
  /** Where the redirects led, without a fragment. */
  readonly url: string;
  readonly initiatorType: string;
}

export function lastHop({ hops }: FetchedObject): Hop {
  return hops.at(-1)!;
}

import type { NetworkRequest } from '#core/metrics/snapshot.ts';

/** What a page asks for. */
export interface PageRequest {
  url: string;
  type: NetworkRequest['type'];
  urgency: Urgency;
  /** The document or style sheet that names it; null for the page itself. */
  initiatorUrl: string | null;
  /** As Resource Timing names what asked. https://w3c.github.io/resource-timing/#dom-performanceresourcetiming-initiatortype */
  initiatorType: string;
  isMainDocument?: boolean;
}

/** Documents, style sheets, scripts and fonts go before images where connections are few, as in browsers. */
export const urgencies = { document: 0, blocking: 1, ordinary: 2, image: 3 } as const;
export type Urgency = (typeof urgencies)[keyof typeof urgencies];

import type { NetworkRequest } from '../metrics/network-request.ts';

export type ObjectType = NetworkRequest['type'];

/** Documents, style sheets, scripts and fonts go before images where connections are few, as in browsers. */
export const urgencies = { document: 0, blocking: 1, ordinary: 2, image: 3 } as const;
export type Urgency = (typeof urgencies)[keyof typeof urgencies];

/** What an element makes a browser fetch. `initiatorType`: as Resource Timing names what asked. */
export type Wish =
  | { kind: 'object'; address: string; type: ObjectType; urgency: Urgency; initiatorType: string }
  | { kind: 'style-sheet'; address: string; isApplied: boolean }
  | { kind: 'frame'; address: string; initiatorType: string }
  | { kind: 'inner-document'; html: string };

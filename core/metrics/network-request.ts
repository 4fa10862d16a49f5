import { z } from 'zod';
import { Amount, Count, EpochMs, ServerMs, Url } from './snapshot-bounds.ts';

const HeaderSchema = z.object({ name: z.string().max(256), value: z.string().max(8192) });

const PhaseSchema = z.tuple([EpochMs, EpochMs]).nullable();

/** What a HAR has of a request beside its times of sending and receiving. No metric is made from it. */
export const ExchangeSchema = z.object({
  method: z.string().max(64),
  /** Null where there was no answer. */
  statusText: z.string().max(1024).nullable(),
  mimeType: z.string().max(256).nullable(),
  /** IPv4 or IPv6; null where the engine does not report it, or a proxy hides it. */
  serverAddress: z.string().max(64).nullable(),
  /** Start and end; null for a phase that did not take place, as on a connection that was open. That of TLS is part of `connect`. */
  phases: z.object({ dns: PhaseSchema, connect: PhaseSchema, tls: PhaseSchema, send: PhaseSchema }),
  /** Without the values of secret ones (`redactHeaders`); null unless the Evaluation asks for HARs. */
  headers: z.object({ request: z.array(HeaderSchema).max(1000), response: z.array(HeaderSchema).max(1000) }).nullable(),
  /** Bytes of the request as it was sent. Left out by engines, and in Snapshots of Agents, that do not report them. */
  sentBytes: z.object({ head: Amount.nullable(), body: Amount.nullable() }).optional(),
});

/**
 * What showed the end of a request that no network event showed: all bytes that its head had announced; the page's own timing entry; the last data of a body that nobody read;
 * the end of its worker or of its frame's process; another document in place of the one that asked. `never`: nobody read it, and nothing shows when it ended.
 */
export const EndSourceSchema = z.enum([
  'network',
  'length',
  'probe',
  'last-data',
  'target-gone',
  'document-replaced',
  'never',
]);
export type EndSource = z.infer<typeof EndSourceSchema>;

/** One request as the engine's network events report it (CDP, WebDriver BiDi, webRequest), on the clock of the frames. */
export const NetworkRequestSchema = z.object({
  /** Same for every hop of one redirect chain. */
  id: z.string().max(256),
  hop: Count,
  url: Url,
  type: z.enum([
    'document',
    'style-sheet',
    'script',
    'image',
    'font',
    'media',
    'fetch',
    'event-source',
    'web-socket',
    'ping',
    'prefetch',
    'preflight',
    'manifest',
    'icon',
    'other',
  ]),
  isMainDocument: z.boolean(),
  /** Whether it holds up the page, or from its body on the rest of it. Null where the engine does not report it. */
  isRenderBlocking: z.boolean().nullable(),
  initiatorUrl: Url.nullable(),
  startEpochMs: EpochMs,
  /** First byte of the request sent; null when it never was, or came from the cache. */
  sentEpochMs: EpochMs.nullable(),
  responseEpochMs: EpochMs.nullable(),
  serverMs: ServerMs.optional(),
  /** Last byte received, or the failure; null while it was in flight when the Snapshot was taken. */
  endEpochMs: EpochMs.nullable(),
  /** Left out where a network event showed the end, where there is none yet, and in Snapshots of older Agents. */
  endedBy: EndSourceSchema.optional(),
  /** Of a request that the browser reported with values that are none; they are left out. Left out of any other. */
  isIncomplete: z.literal(true).optional(),
  failure: z.string().max(1024).nullable(),
  status: Count.nullable(),
  protocol: z.string().max(64).nullable(),
  /** The transport connection that carried it; null when the engine does not report it or none did. */
  connectionId: z.string().max(256).nullable(),
  /**
   * Whether that connection had brought an answer before, to this page or an earlier one. Null where the browser reports this neither here nor by the
   * times of its entries; left out where these times are enough: then a connection without a length was kept.
   */
  isConnectionReused: z.boolean().nullable().optional(),
  fromCache: z.boolean(),
  /** A replay had nothing recorded to answer it by. */
  isReplayMiss: z.literal(true).optional(),
  /** Whether the server pushed it: it began with the promise, and was never sent. Left out where it did not. */
  isPushed: z.boolean().optional(),
  /** Bytes of header and body as they came over the connection. */
  receivedBytes: Amount.nullable(),
  /** Of these, the bytes of the body before decompression. Left out where they are not known apart, and in Snapshots of older Agents. */
  receivedBodyBytes: Amount.optional(),
  /** Bytes of the body after decompression, as far as it came. */
  decodedBytes: Amount.nullable(),
  /** Left out by engines, and in Snapshots of Agents, that do not report it. */
  exchange: ExchangeSchema.optional(),
});

export type Exchange = z.infer<typeof ExchangeSchema>;
export type Header = z.infer<typeof HeaderSchema>;
export type NetworkRequest = z.infer<typeof NetworkRequestSchema>;

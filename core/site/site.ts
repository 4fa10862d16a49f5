import { z } from 'zod';
import { maximumUrlCharacters } from '../metrics/snapshot-bounds.ts';

/**
 * What a Site's archive says of the pages that were recorded: the index by which the testbed replays them. Bodies stay in the archive (`site/open-site.ts`).
 * Durations are ms. `null` means that the recording does not know.
 */

/** Each has an address of its own in the testbed. */
export const mostHosts = 200;
export const mostExchanges = 20_000;
export const mostPages = 200;
const mostVisits = 100;
/** Of one exchange. */
export const mostEarlyHints = 20;
/** Of one visit. */
export const mostWebSockets = 1000;
export const mostHeaders = 500;
/** Of all headers of one message; browsers and servers refuse more. */
const mostHeaderCharacters = 262_144;
const longestMs = 3_600_000;
/** As it crossed the network. */
export const mostBodyBytes = 256 * 1024 * 1024;
/** Of all bodies of a Site; one that several exchanges have counts once. */
export const mostSiteBytes = 1024 ** 3;
/** Of the index of a file, `http-ae/site.json`, without compression. */
export const mostIndexBytes = 64 * 1024 * 1024;
/** Of a file: bodies need not be compressible, and the rest is smaller than that. */
export const mostSiteFileBytes = mostSiteBytes + 2 * mostIndexBytes;

export const siteProtocols = ['http/1.1', 'h2', 'h3'] as const;
export type SiteProtocol = (typeof siteProtocols)[number];

const Ms = z.number().min(0).max(longestMs);
const Count = z.number().int().nonnegative();
const Bytes = Count.max(Number.MAX_SAFE_INTEGER);
const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const Url = z
  .string()
  .max(maximumUrlCharacters)
  .regex(/^https?:\/\//);

/** As in a URL: lower case, a name in ASCII or an address. Without a port. */
const HostName = z
  .string()
  .max(253)
  .regex(/^[a-z0-9_.:[\]-]+$/);

/** RFC 9110, section 5.6.2. */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Of a header: each character is one byte, and none ends a line. */
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/** In the order in which they were sent. Names as they were written; in HTTP/2 and 3 they are lower case. No pseudo-headers. */
const HeadersSchema = z
  .array(z.tuple([z.string().max(1024).regex(token), z.string().max(mostHeaderCharacters).regex(headerValue)]))
  .max(mostHeaders)
  .refine(
    (headers) => headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0) <= mostHeaderCharacters,
    `must have at most ${mostHeaderCharacters} characters in all`,
  );

export const SiteHostSchema = z.strictObject({
  name: HostName,
  /** Where it was while it was recorded. */
  address: z.string().max(45).nullable(),
  /** By TCP, or by QUIC, to the first answer: one round trip. */
  connectMs: Ms.nullable(),
  /** The names of its certificate: HTTP/2 shares a connection only among these. Empty without TLS. */
  certificateNames: z.array(z.string().max(253)).max(1000),
  /** The certificates that it sent, and their bytes. */
  certificateChain: z.strictObject({ count: Count.max(20), bytes: Bytes }).nullable(),
  /** What it spoke, the newest first. */
  protocols: z.array(z.enum(siteProtocols)).min(1).max(3),
});
export type SiteHost = z.infer<typeof SiteHostSchema>;

/** Where the wire bytes of an answer's body are: a gzip member of `archive/data.warc.gz`, which the WACZ stores without compression. */
const BodySchema = z.strictObject({
  /** Of the member within `archive/data.warc.gz`. Exchanges with the same body may share one. */
  offset: Bytes,
  length: Bytes,
  /** Of the body as it crossed the network, content coding included. */
  bytes: Count.max(mostBodyBytes),
  sha256: Sha256,
});

/** An answer with the status 103 (RFC 8297), which came before the answer itself. */
const EarlyHintSchema = z.strictObject({
  /** As that of the exchange. */
  thinkMs: Ms,
  /** The values of `Link`, one for each link. */
  links: z.array(z.string().max(mostHeaderCharacters).regex(headerValue)).min(1).max(mostHeaders),
});
export type EarlyHint = z.infer<typeof EarlyHintSchema>;

export const SiteExchangeSchema = z.strictObject({
  /** Its place in `exchanges`. */
  number: Count,
  page: Count,
  /** Which visit to the page, from 1. */
  visit: Count.min(1),
  url: Url,
  method: z.string().max(32).regex(token),
  requestHeaders: HeadersSchema,
  /** Null without a body. */
  requestBodySha256: Sha256.nullable(),
  status: z.number().int().min(100).max(599),
  headers: HeadersSchema,
  trailers: HeadersSchema,
  protocol: z.enum(siteProtocols),
  /** The same number is the same connection of that visit. */
  connection: Count.nullable(),
  /** From the start of the visit to the sending of the request. */
  startMs: Ms,
  /** Connection, TLS: only of the request that opened one. */
  connectMs: Ms.nullable(),
  tlsMs: Ms.nullable(),
  /** What the server took: from the request's end to the first byte, without the round trip. */
  thinkMs: Ms.nullable(),
  /** In the order in which they came. Left out where there were none. */
  earlyHints: z.array(EarlyHintSchema).min(1).max(mostEarlyHints).optional(),
  /** From the first byte to the last. */
  receiveMs: Ms.nullable(),
  /** The request by which the browser found it; null for the page itself. */
  initiatorUrl: Url.nullable(),
  /** Null where the answer has none, also where a secret was in it. */
  body: BodySchema.nullable(),
});
export type SiteExchange = z.infer<typeof SiteExchangeSchema>;

export const SitePageSchema = z.strictObject({
  /** From 1, as URL lists name it. */
  number: Count.min(1),
  url: Url,
  title: z.string().max(1024),
  /** What the browser of the recording measured; empty for an imported HAR without page timings. */
  visits: z
    .array(
      z.strictObject({
        startEpochMs: z.number().positive().max(8e15),
        engine: z.string().max(200),
        baseMs: Ms.nullable(),
        viewportMs: Ms.nullable(),
        totalMs: Ms.nullable(),
        /** Addresses of WebSockets that the page opened, which are not recorded. Left out where there were none. */
        webSockets: z
          .array(
            z
              .string()
              .max(maximumUrlCharacters)
              .regex(/^wss?:\/\//),
          )
          .min(1)
          .max(mostWebSockets)
          .optional(),
      }),
    )
    .max(mostVisits),
});
export type SitePage = z.infer<typeof SitePageSchema>;

export const SiteSchema = z.strictObject({
  format: z.literal(1),
  title: z.string().min(1).max(200),
  /** What wrote it, with its version. */
  software: z.string().max(200),
  recordedEpochMs: z.number().positive().max(8e15),
  hosts: z.array(SiteHostSchema).min(1).max(mostHosts),
  pages: z.array(SitePageSchema).min(1).max(mostPages),
  exchanges: z.array(SiteExchangeSchema).min(1).max(mostExchanges),
  /** Headers that were left out as secrets: each name with the number of times. */
  dropped: z.array(z.strictObject({ header: z.string().max(1024), times: Count })).max(1000),
});
export type Site = z.infer<typeof SiteSchema>;

/** A Site whose exchanges nobody has read yet. */
export const SiteOutlineSchema = SiteSchema.extend({ exchanges: z.array(z.unknown()).min(1).max(mostExchanges) });

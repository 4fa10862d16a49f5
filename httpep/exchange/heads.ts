import { z } from 'zod';
import { codings } from './body-coder.ts';
import { findHeader, listValues, withoutHeaders, type HeaderList } from '#core/http1/header-list.ts';

/** Names and values in turn, as they came: case, order and repetitions are kept. */
const headers = z.array(z.string()).refine(({ length }) => length % 2 === 0);

/** Its path is as it came. */
const url = z.string().refine((text) => readTarget(text) !== null);

/** The first record of a stream that the remote end opens. */
export const QuestionSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('request'),
    /** Who it is for: what the scheduler and the limits go by. */
    user: z.string(),
    /** Of the HTTP that the browser speaks. */
    version: z.enum(['1.0', '1.1']),
    method: z.string().min(1),
    url,
    hasBody: z.boolean(),
    isUpgrade: z.boolean(),
    headers,
  }),
  z.object({
    kind: z.literal('connect'),
    user: z.string(),
    host: z.string().min(1),
    port: z.int().min(1).max(65_535),
  }),
]);

export type Question = z.infer<typeof QuestionSchema>;
export type RequestHead = Extract<Question, { kind: 'request' }>;
export type ConnectHead = Extract<Question, { kind: 'connect' }>;

/** It reads, and changes nothing. RFC 9110, 9.2.1. */
export function isSafe({ method }: { method: string }): boolean {
  return ['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(method);
}

/**
 * Why a browser asks for a page to which nobody has gone yet: for itself alone, or with all that it shows. Null for other requests.
 * https://wicg.github.io/nav-speculation/prefetch.html#sec-purpose-header
 */
export function readSpeculation({ headers: asked }: RequestHead): 'prefetch' | 'prerender' | null {
  const purpose = (findHeader(asked, 'sec-purpose') ?? findHeader(asked, 'purpose') ?? '').toLowerCase();
  if (!purpose.startsWith('prefetch')) return null;
  return purpose.includes('prerender') ? 'prerender' : 'prefetch';
}

/** A final response, or an informational one. */
export const AnswerSchema = z.object({
  /** Any number, as browsers take it. */
  status: z.int().min(0),
  reason: z.string(),
  headers,
  /** How the body is compressed in the tunnel. The browser gets it as it was. */
  coding: z.enum(codings).optional(),
});

export type AnswerHead = z.infer<typeof AnswerSchema>;

export const TrailersSchema = headers;

/** Answers that come by streams of the ground end, before the browser asks for them. */
export const PromiseSchema = z.object({
  /** Header fields of the requests that they answer. */
  asked: z.array(headers).max(1024),
  /** Stream, URL, and which of `asked`. */
  objects: z.array(z.tuple([z.int().positive(), url, z.int().min(0)])).max(1024),
});

export type Promised = z.infer<typeof PromiseSchema>;

/** What a URL of a request names. */
export interface Target {
  isSecure: boolean;
  /** A name in lower case, or an address: IPv6 without brackets. */
  host: string;
  port: number;
  /** The Host field. */
  authority: string;
  /** From the first `/` or `?` on, as it came: RFC 9110, 7.7. Empty where the URL has none. */
  path: string;
}

/** How many origins are remembered: each request is read several times. */
const maxKnown = 1000;
const known = new Map<string, Omit<Target, 'path'> | null>();

/** Null for what is no absolute URL of http or https. A user and password in it are left out. */
export function readTarget(url: string): Target | null {
  const parts = /^(https?:\/\/[^/?#\\]*)((?:[/?#\\].*)?)$/is.exec(url);
  if (!parts) return null;
  const [, origin, path] = parts as unknown as [string, string, string];
  let place = known.get(origin);
  if (place === undefined) {
    place = readOrigin(origin);
    if (known.size >= maxKnown) known.clear();
    known.set(origin, place);
  }
  return place && { ...place, path };
}

function readOrigin(text: string): Omit<Target, 'path'> | null {
  const start = text.indexOf('//') + 2;
  const plain = text.slice(0, start) + text.slice(Math.max(start, text.lastIndexOf('@') + 1));
  const url = /[^!-~]/.test(plain) ? null : URL.parse(plain);
  if (!url) return null;
  const { protocol, hostname, port, host } = url;
  const isSecure = protocol === 'https:';
  return {
    isSecure,
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (isSecure ? 443 : 80) : Number(port),
    authority: host,
  };
}

/** What is asked of the web server: RFC 9112, 3.2.1 and 3.2.4. */
export function formatTarget({ path }: Target, method: string): string {
  if (path === '' && method === 'OPTIONS') return '*';
  return path.startsWith('/') ? path : `/${path}`;
}

/** Of one hop only: RFC 9110, 7.6.1. */
const ofOneHop = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authentication-info',
  'proxy-authorization',
  'te',
  'transfer-encoding',
  'upgrade',
];

/** Of the message's way and end: nobody could heed them behind a body. RFC 9110, 6.5.1. */
const notBehind = ['content-length', 'host', 'trailer'];

/** The fields behind a body that pass. */
export function keepTrailers(trailers: HeaderList): string[] {
  return withoutHeaders(withoutHop(trailers), notBehind);
}

/** Without what concerns one hop only, and what `Connection` names. `Host` is of the target, and never of one hop: RFC 9112, 3.2.2. */
export function withoutHop(headers: HeaderList): string[] {
  const named = listValues(headers, 'connection')
    .map((token) => token.toLowerCase())
    .filter((token) => token !== 'host');
  return withoutHeaders(headers, [...ofOneHop, ...named]);
}

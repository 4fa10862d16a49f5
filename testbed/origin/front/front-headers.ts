import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { z } from 'zod';
import { frontListenerNames, type FrontListenerName } from '../listeners.ts';
import type { TlsTruth } from '../truth-log.ts';

/** What the front knows of a request, in headers that it sets. What a client sends under these names is replaced. */
const prefix = 'http-ae-front-';

/** In an answer of the origin: the front is to end the request without one. */
export const unansweredHeader = `${prefix}unanswered`;

/** By the names of HTTP that Go has. */
const protocols: Record<string, string> = {
  'HTTP/1.0': 'http/1.0',
  'HTTP/1.1': 'http/1.1',
  'HTTP/2.0': 'h2',
  'HTTP/3.0': 'h3',
};

const tlsVersions: Record<string, string> = { 'tls1.2': 'TLSv1.2', 'tls1.3': 'TLSv1.3' };

const FrontHeadersSchema = z.object({
  secret: z.string(),
  listener: z.enum(frontListenerNames),
  /** The address of the origin that it came to. */
  host: z.string().refine((host) => isIP(host) !== 0),
  protocol: z.string(),
  address: z.string(),
  port: z.coerce.number().int(),
  tls: z.string(),
  resumed: z.string(),
});

export interface FrontedRequest {
  listener: FrontListenerName;
  host: string;
  protocol: string;
  client: { address: string; port: number };
  tls: TlsTruth;
}

/** The headers that the front adds, by Caddy's placeholders. https://caddyserver.com/docs/json/apps/http/ */
export function listFrontHeaders(parts: {
  secret: string;
  listener: FrontListenerName;
  host: string;
}): Record<string, string[]> {
  const values: Record<keyof z.input<typeof FrontHeadersSchema>, string> = {
    ...parts,
    protocol: '{http.request.proto}',
    address: '{http.request.remote.host}',
    port: '{http.request.remote.port}',
    tls: '{http.request.tls.version}',
    resumed: '{http.request.tls.resumed}',
  };
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}${name}`, [value]]));
}

/** Null for a request that is not the front's. */
export function readFrontHeaders(headers: IncomingHttpHeaders, secret: string): FrontedRequest | null {
  const names = Object.keys(FrontHeadersSchema.shape);
  const read = FrontHeadersSchema.safeParse(
    Object.fromEntries(names.map((name) => [name, headers[`${prefix}${name}`]])),
  );
  if (!read.success || read.data.secret !== secret) return null;
  const { listener, host, protocol, address, port, tls, resumed } = read.data;
  return {
    listener,
    host,
    protocol: protocols[protocol] ?? protocol.toLowerCase(),
    client: { address, port },
    tls: { protocol: tlsVersions[tls] ?? null, isSessionReused: resumed === 'true' },
  };
}

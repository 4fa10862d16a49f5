import { z } from 'zod';

/** Epoch milliseconds, and 0 for what did not take place. https://w3c.github.io/webdriver-bidi/#type-network-FetchTimingInfo */
const TimingsSchema = z.object({
  requestTime: z.number(),
  dnsStart: z.number(),
  dnsEnd: z.number(),
  connectStart: z.number(),
  tlsStart: z.number(),
  connectEnd: z.number(),
  requestStart: z.number(),
  responseStart: z.number(),
  responseEnd: z.number(),
});

const HeadersSchema = z
  .array(z.object({ name: z.string(), value: z.object({ value: z.string() }) }))
  .transform((headers) => new Map(headers.map(({ name, value }) => [name.toLowerCase(), value.value])));

/** The name of an error, such as `NS_ERROR_NET_RESET`, out of what is said around it. */
export function readErrorName(text: string): string {
  return /(?:NS|SEC|SSL|MOZILLA_PKIX)_(?:ERROR|BINDING)_\w+(?=\)?$)/.exec(text)?.[0] ?? text.replace(/^Error: /, '');
}

/** What all network events have in common. https://w3c.github.io/webdriver-bidi/#type-network-BaseParameters */
const BaseFields = {
  context: z.string().nullable(),
  navigation: z.string().nullable(),
  redirectCount: z.number(),
  timestamp: z.number(),
  request: z.object({
    request: z.string(),
    method: z.string(),
    url: z.string(),
    headers: HeadersSchema,
    destination: z.string(),
    initiatorType: z.string().nullable(),
    timings: TimingsSchema,
    headersSize: z.number().nonnegative().nullish().catch(null),
    bodySize: z.number().nonnegative().nullish().catch(null),
  }),
};

export const RequestEventSchema = z.object({ ...BaseFields, initiator: z.object({ type: z.string() }).nullish() });

export const ResponseEventSchema = z.object({
  ...BaseFields,
  response: z.object({
    status: z.number(),
    statusText: z.string(),
    mimeType: z.string(),
    protocol: z.string(),
    fromCache: z.boolean(),
    headers: HeadersSchema,
    bytesReceived: z.number(),
    /** Encoded. */
    bodySize: z.number().nullable(),
  }),
});

export const ErrorEventSchema = z.object({ ...BaseFields, errorText: z.string().transform(readErrorName) });

export type RequestEvent = z.infer<typeof RequestEventSchema>;
export type ResponseEvent = z.infer<typeof ResponseEventSchema>;
export type ErrorEvent = z.infer<typeof ErrorEventSchema>;

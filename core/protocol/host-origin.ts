import { z } from 'zod';
import { PublicKeySchema } from '../evaluation/browser/trusted-keys.ts';

const UrlSchema = z.url({ protocol: /^https?$/ }).max(255);

/** An origin of HTTP-AE that was started beside an Agent, as the Agent's host reaches it. */
export const HostOriginSchema = z.object({
  /** Of HTTP/1.1 without TLS. */
  httpUrl: UrlSchema,
  /** Of HTTP/2, and HTTP/1.1, over TLS. */
  http2Url: UrlSchema,
  trustedKey: PublicKeySchema,
});
export type HostOrigin = z.infer<typeof HostOriginSchema>;

/** What an Agent reports of a running origin. */
export function asHostOrigin({ httpUrl, http2Url, trustedKey }: HostOrigin): HostOrigin {
  return { httpUrl, http2Url, trustedKey };
}

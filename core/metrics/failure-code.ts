import { z } from 'zod';

/** Why a Visit has no page. A failed Visit is a result, counted in every report. */
export const FailureCodeSchema = z.enum([
  'dns-failure',
  'connection-refused',
  'connection-reset',
  'connection-failed',
  'tls-failure',
  'timeout',
  'http-client-error',
  'http-server-error',
  'empty-response',
  'redirect-loop',
  'aborted',
  'navigated-away',
  'proxy-failure',
  'too-large',
  'unsupported-content',
  'protocol-not-used',
  'task-failed',
  'task-not-ended',
  'journey-step-failed',
  'journey-strayed',
  'journey-ended',
  'browser-crashed',
  'engine-error',
]);

export type FailureCode = z.infer<typeof FailureCodeSchema>;

/**
 * Network errors in the words of Chrome (net::ERR_…) and Firefox (NS_ERROR_…, SEC_ERROR_…); the first pattern that matches.
 * https://source.chromium.org/chromium/chromium/src/+/main:net/base/net_error_list.h
 * https://searchfox.org/mozilla-central/source/xpcom/base/ErrorList.py
 */
const codes: readonly (readonly [RegExp, FailureCode])[] = [
  [/^net::ERR_(NAME_|DNS_|ICANN_)/, 'dns-failure'],
  [/^net::ERR_(PROXY_|TUNNEL_|SOCKS_|MANDATORY_PROXY_|UNEXPECTED_PROXY_|NO_SUPPORTED_PROXIES|PAC_)/, 'proxy-failure'],
  [/^net::ERR_(CERT_|CERTIFICATE_|SSL_|BAD_SSL_|ECH_|TLS_)/, 'tls-failure'],
  [/^net::ERR_CONNECTION_REFUSED/, 'connection-refused'],
  [/^net::ERR_(CONNECTION_TIMED_OUT|TIMED_OUT)/, 'timeout'],
  // Without an answer, not every engine distinguishes a closed connection from a reset one.
  [
    /^net::ERR_(CONNECTION_RESET|CONNECTION_CLOSED|CONNECTION_ABORTED|SOCKET_NOT_CONNECTED|EMPTY_RESPONSE)/,
    'connection-reset',
  ],
  [/^net::ERR_QUIC_HANDSHAKE_FAILED/, 'connection-failed'],
  [/^net::ERR_(HTTP2_|QUIC_|INCOMPLETE_|CONTENT_LENGTH_MISMATCH|INVALID_CHUNKED_ENCODING)/, 'connection-reset'],
  [/^net::ERR_(CONNECTION_|ADDRESS_|INTERNET_DISCONNECTED|NETWORK_|UNSAFE_PORT)/, 'connection-failed'],
  // Of no browser (`activity-event.ts`).
  [/^The address (gives a file to download|leads to no page of the web)$/, 'unsupported-content'],
  [/^net::ERR_ABORTED/, 'aborted'],
  [/^net::ERR_TOO_MANY_REDIRECTS/, 'redirect-loop'],
  [
    /^net::ERR_(UNKNOWN_URL_SCHEME|INVALID_URL|DISALLOWED_URL_SCHEME|CONTENT_DECODING|INVALID_RESPONSE|INVALID_HTTP_RESPONSE|RESPONSE_HEADERS|BLOCKED_BY_|UNSAFE_REDIRECT)/,
    'unsupported-content',
  ],
  [/^net::ERR_(INVALID_AUTH|MISSING_AUTH|UNEXPECTED_AUTH|UNSUPPORTED_AUTH)/, 'http-client-error'],

  [/^NS_ERROR_(PROXY_|UNKNOWN_PROXY_|TOO_MANY_REQUESTS_PROXY)/, 'proxy-failure'],
  [/^NS_ERROR_(UNKNOWN_HOST|DNS_)/, 'dns-failure'],
  [/^(SEC_ERROR_|SSL_ERROR_|MOZILLA_PKIX_ERROR_|NS_ERROR_NET_INADEQUATE_SECURITY|NS_ERROR_NET_SSL)/, 'tls-failure'],
  [/^NS_ERROR_CONNECTION_REFUSED/, 'connection-refused'],
  [/^NS_ERROR_NET_TIMEOUT/, 'timeout'],
  [
    /^NS_ERROR_(NET_RESET|NET_INTERRUPT|NET_PARTIAL_TRANSFER|NET_ERROR_RESPONSE|NET_EMPTY_RESPONSE|NET_HTTP2_|NET_HTTP3_|HTTP2_|HTTP3_|ABORT$)/,
    'connection-reset',
  ],
  [
    /^(NS_ERROR_(OFFLINE|NOT_CONNECTED|PORT_ACCESS_NOT_ALLOWED|CONNECTION_|SOCKET_)|deniedPortAccess)/,
    'connection-failed',
  ],
  [/^NS_BINDING_ABORTED/, 'aborted'],
  [/^NS_ERROR_(REDIRECT_LOOP|CORS_REDIRECT_LOOP)/, 'redirect-loop'],
  [
    /^NS_ERROR_(UNKNOWN_PROTOCOL|MALFORMED_URI|CORRUPTED_CONTENT|INVALID_CONTENT_ENCODING|CONTENT_BLOCKED|PARSED_DATA_CACHED|UNSAFE_CONTENT_TYPE|DOM_BAD_URI|DOM_COEP_FAILED|DOM_INVALID_HEADER_VALUE|NO_CONTENT)/,
    'unsupported-content',
  ],
];

/** The failure code of a network error in the browser's own words. */
export function failureCodeOf(errorText: string): FailureCode {
  return codes.find(([pattern]) => pattern.test(errorText))?.[1] ?? 'engine-error';
}

/** Null for a status that is no failure. */
export function failureCodeOfStatus(status: number): FailureCode | null {
  if (status === 407) return 'proxy-failure';
  if (status >= 500) return 'http-server-error';
  return status >= 400 ? 'http-client-error' : null;
}

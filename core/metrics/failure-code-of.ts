import type { FailureCode } from './failure-code.ts';

/** https://source.chromium.org/chromium/chromium/src/+/main:net/base/net_error_list.h; the first pattern that matches. */
const codes: readonly (readonly [RegExp, FailureCode])[] = [
  [/^net::ERR_(NAME_|DNS_|ICANN_)/, 'dns-failure'],
  [/^net::ERR_(PROXY_|TUNNEL_|SOCKS_|MANDATORY_PROXY_|UNEXPECTED_PROXY_|NO_SUPPORTED_PROXIES|PAC_)/, 'proxy-failure'],
  [/^net::ERR_(CERT_|SSL_|BAD_SSL_|ECH_|TLS_)/, 'tls-failure'],
  [/^net::ERR_CONNECTION_REFUSED/, 'connection-refused'],
  [/^net::ERR_(CONNECTION_TIMED_OUT|TIMED_OUT)/, 'timeout'],
  [/^net::ERR_(CONNECTION_RESET|CONNECTION_CLOSED|CONNECTION_ABORTED|SOCKET_NOT_CONNECTED)/, 'connection-reset'],
  [/^net::ERR_(HTTP2_|QUIC_|INCOMPLETE_|CONTENT_LENGTH_MISMATCH|INVALID_CHUNKED_ENCODING)/, 'connection-reset'],
  [/^net::ERR_(CONNECTION_|ADDRESS_|INTERNET_DISCONNECTED|NETWORK_|UNSAFE_PORT)/, 'connection-failed'],
  [/^net::ERR_ABORTED/, 'aborted'],
  [/^net::ERR_EMPTY_RESPONSE/, 'empty-response'],
  [/^net::ERR_TOO_MANY_REDIRECTS/, 'redirect-loop'],
  [/^net::ERR_(UNKNOWN_URL_SCHEME|INVALID_URL|DISALLOWED_URL_SCHEME|CONTENT_DECODING|INVALID_RESPONSE|RESPONSE_HEADERS|BLOCKED_BY_|UNSAFE_REDIRECT)/, 'unsupported-content'],
  [/^net::ERR_(INVALID_AUTH|MISSING_AUTH|UNEXPECTED_AUTH|UNSUPPORTED_AUTH)/, 'http-client-error'],
];

/** The failure code of a network error in Chrome's words. */
export function failureCodeOf(errorText: string): FailureCode {
  return codes.find(([pattern]) => pattern.test(errorText))?.[1] ?? 'engine-error';
}

/** Null for a status that is no failure. */
export function failureCodeOfStatus(status: number): FailureCode | null {
  if (status >= 500) return 'http-server-error';
  return status >= 400 ? 'http-client-error' : null;
}

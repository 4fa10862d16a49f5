import type { FailureCode } from '#core/metrics/failure-code.ts';

/** Why a request has no whole answer. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
  readonly code: FailureCode;

  constructor(code: FailureCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** By the codes of Node, OpenSSL and undici, or the name of an error that has none; the first pattern that matches. */
const codes: readonly (readonly [RegExp, FailureCode])[] = [
  [/^(ENOTFOUND|EAI_|ENODATA|ESERVFAIL)/, 'dns-failure'],
  [/^ECONNREFUSED$/, 'connection-refused'],
  [/^ETIMEDOUT$/, 'timeout'],
  [/^(ERR_SSL_|ERR_TLS_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|EPROTO$)/, 'tls-failure'],
  [
    /^(ConnectionGoneError$|ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH|ERR_HTTP2_|ERR_STREAM_)/,
    'connection-reset',
  ],
  [/^(MessageError$|UND_ERR_HEADERS_OVERFLOW|Z_|ERR_BROTLI|ERR_ZSTD|ERR__ERROR_|ZSTD_)/, 'unsupported-content'],
  [/^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EACCES|EPERM|EINVAL)/, 'connection-failed'],
];

export function asNetworkError(error: unknown): NetworkError {
  if (error instanceof NetworkError) return error;
  const { message, code, name } = describe(error);
  return new NetworkError(
    codes.find(([pattern]) => pattern.test(code || name))?.[1] ?? 'engine-error',
    code && !message.includes(code) ? `${code}: ${message}` : message,
    error,
  );
}

/** Several addresses of one name that all failed make an AggregateError without words of its own. */
function describe(error: unknown): { message: string; code: string; name: string } {
  if (!(error instanceof Error)) return { message: String(error), code: '', name: '' };
  const inner = error instanceof AggregateError && error.errors.length > 0 ? (error.errors[0] as Error) : error;
  const { code } = inner as NodeJS.ErrnoException;
  return { message: inner.message, code: code ?? '', name: inner.name };
}

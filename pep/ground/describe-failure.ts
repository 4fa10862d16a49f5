import type { AnswerHead } from '../exchange/heads.ts';
import { RefusedAddressError } from './refused-address-error.ts';

/** By the code of Node's error: status, and the type of RFC 9209. */
const known: Record<string, { status: 502 | 504; type: string }> = {
  ENOTFOUND: { status: 502, type: 'dns_error' },
  EAI_AGAIN: { status: 504, type: 'dns_timeout' },
  ECONNREFUSED: { status: 502, type: 'connection_refused' },
  ECONNRESET: { status: 502, type: 'connection_terminated' },
  EPIPE: { status: 502, type: 'connection_terminated' },
  ENETUNREACH: { status: 502, type: 'destination_ip_unroutable' },
  EHOSTUNREACH: { status: 502, type: 'destination_ip_unroutable' },
  ETIMEDOUT: { status: 504, type: 'connection_timeout' },
};

const reasons = { 403: 'Forbidden', 502: 'Bad Gateway', 504: 'Gateway Timeout' };

/** The answer to a request that the origin did not answer. `Proxy-Status`: RFC 9209. */
export function describeFailure(error: Error & { code?: string }): { head: AnswerHead; body: Buffer } {
  const isRefused = error instanceof RefusedAddressError;
  const { status, type } = isRefused
    ? { status: 403 as const, type: 'destination_ip_prohibited' }
    : (known[error.code ?? ''] ?? { status: 502 as const, type: 'http_protocol_error' });
  const body = Buffer.from(
    `HTTPEP: ${isRefused ? error.message : `the web server did not answer (${error.message})`}\n`,
  );
  return {
    head: {
      status,
      reason: reasons[status],
      headers: [
        ...['Content-Type', 'text/plain; charset=utf-8'],
        ...['Content-Length', String(body.length)],
        ...['Proxy-Status', `httpep; error=${type}`],
      ],
    },
    body,
  };
}

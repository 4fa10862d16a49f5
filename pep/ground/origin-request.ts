import { Agent as HttpAgent, request as requestHttp, type ClientRequest } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { findHeader, withoutHeaders, withoutHop } from '../exchange/header-list.ts';
import type { RequestHead } from '../exchange/heads.ts';
import type { AddressPolicy } from './address-policy.ts';
import { checkLiteral, makeGuardedLookup } from './guarded-lookup.ts';
import { TrustingAgent } from './trusting-agent.ts';

/** The longest that an origin may be silent. */
const silenceMs = 600_000;
/** Heads up to so many bytes. */
export const maxHeaderSize = 64 * 1024;
const idle = { keepAlive: true, maxSockets: 64, maxFreeSockets: 256, timeout: 30_000 };

/** Sends requests to origins, over connections that are kept. */
export class OriginRequests implements Disposable {
  readonly #mayReach: AddressPolicy;
  readonly #lookup: LookupFunction;
  readonly #http = new HttpAgent(idle);
  readonly #https: TrustingAgent;

  constructor({ mayReach, trustedKeys }: { mayReach: AddressPolicy; trustedKeys: readonly string[] }) {
    this.#mayReach = mayReach;
    this.#lookup = makeGuardedLookup(mayReach);
    // A resumed session shows no certificate.
    this.#https = new TrustingAgent({ ...idle, maxCachedSessions: 0 }, trustedKeys);
  }

  /** Begins a request, whose body is to follow. Throws RefusedAddressError. */
  begin(head: RequestHead): ClientRequest {
    const url = new URL(head.url);
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    checkLiteral(host, this.#mayReach);
    const isSecure = url.protocol === 'https:';
    const request = (isSecure ? requestHttps : requestHttp)({
      host,
      port: url.port === '' ? (isSecure ? 443 : 80) : Number(url.port),
      method: head.method,
      path: `${url.pathname}${url.search}`,
      headers: listHeaders(head),
      agent: isSecure ? this.#https : this.#http,
      maxHeaderSize,
      lookup: this.#lookup,
    });
    request.setNoDelay(true);
    request.setTimeout(silenceMs, () => request.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })));
    return request;
  }

  [Symbol.dispose](): void {
    this.#http.destroy();
    this.#https.destroy();
  }
}

/** The body's length is stated exactly where a body follows: else the next request on the connection would be read as part of this one. */
function listHeaders({ headers, hasBody, isUpgrade }: RequestHead): string[] {
  const kept = withoutHop(headers);
  const length = findHeader(kept, 'content-length');
  const isLengthKept = hasBody || Number(length) === 0;
  const upgrade = isUpgrade ? findHeader(headers, 'upgrade') : null;
  const added = ['Via', '1.1 httpep'];
  if (upgrade !== null) added.push('Connection', 'Upgrade', 'Upgrade', upgrade);
  if (hasBody && length === null) added.push('Transfer-Encoding', 'chunked');
  return [...(isLengthKept ? kept : withoutHeaders(kept, ['content-length'])), ...added];
}

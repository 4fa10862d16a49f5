import { Agent as HttpAgent, request as requestHttp, type ClientRequest } from 'node:http';
import { request as requestHttps } from 'node:https';
import { type LookupFunction, isIP } from 'node:net';
import { findHeader, withoutHeaders, withoutHop } from '../exchange/header-list.ts';
import type { RequestHead } from '../exchange/heads.ts';
import type { AddressPolicy } from './address-policy.ts';
import { TrustingAgent } from './trusting-agent.ts';
import { lookup, type LookupAddress } from 'node:dns';

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

/** Resolves a name, and leaves out addresses that may not be reached, so that no name leads inside. */
export function makeGuardedLookup(mayReach: AddressPolicy): LookupFunction {
  return (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, found: LookupAddress[]) => {
      if (error) {
        callback(error, []);
        return;
      }
      const addresses = found.filter(({ address }) => mayReach(address));
      const [first] = addresses;
      if (!first) callback(new RefusedAddressError(host), []);
      else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

/** Throws RefusedAddressError for an address in place of a name, which is not looked up. */
export function checkLiteral(host: string, mayReach: AddressPolicy): void {
  if (isIP(host) !== 0 && !mayReach(host)) throw new RefusedAddressError(host);
}

/** The ground end does not connect to private, loopback and link-local addresses. */
export class RefusedAddressError extends Error {
  constructor(host: string) {
    super(`${host} is not on the public network. To allow it, name it with --allow-private of the ground end`);
    this.name = 'RefusedAddressError';
  }
}

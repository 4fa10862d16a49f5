import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/**
 * Whom a request comes from. Behind a proxy that the operator trusts, that is the address which the proxy reports; what others report of themselves is not
 * believed, as they could have a fresh one for each request.
 */
export class ClientAddresses {
  readonly #proxies: BlockList;

  /** `proxies`: those that are trusted. None unless given. */
  constructor(proxies: BlockList = new BlockList()) {
    this.#proxies = proxies;
  }

  /** Empty where the connection is gone. Each proxy adds whom it has heard, so that the last address of no trusted proxy counts. */
  read({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): string {
    const reported = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
    let address = withoutMapping(socket.remoteAddress ?? '');
    while (this.#isProxy(address)) {
      const earlier = readAddress(reported.pop());
      if (earlier === null) break;
      address = earlier;
    }
    return address;
  }

  #isProxy(address: string): boolean {
    const version = isIP(address);
    return version !== 0 && this.#proxies.check(address, version === 6 ? 'ipv6' : 'ipv4');
  }
}

/** `192.0.2.7`, `2001:db8::7` and, as some proxies write them, with a port. Null where it is none of these. */
function readAddress(text: string | undefined): string | null {
  const trimmed = text?.trim() ?? '';
  const [, bracketed, plain] = /^(?:\[([\da-f:.]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/i.exec(trimmed) ?? [];
  const address = withoutMapping(bracketed ?? plain ?? trimmed);
  return isIP(address) === 0 ? null : address;
}

/** An IPv4 address that a socket of IPv6 has is the same client. */
function withoutMapping(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

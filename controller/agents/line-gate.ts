import type { IncomingMessage } from 'node:http';
import type { ClientAddresses } from '../people/client-address.ts';

/** Lines that are not admitted yet: of one address, and of all. An Agent is admitted within milliseconds. */
const mostOfOneAddress = 64;
const mostInAll = 256;

/** Why an upgrade is refused, as the answer to it. */
export interface Refusal {
  status: string;
  reason: string;
}

/** Who may open a line at all, before anything of it is read: how many at a time, and from which pages. */
export class LineGate {
  readonly #byAddress = new Map<string, number>();
  readonly #clients: ClientAddresses;
  #inAll = 0;

  constructor(clients: ClientAddresses) {
    this.#clients = clients;
  }

  /** Null when it may. */
  explainRefusal(request: IncomingMessage): Refusal | null {
    const { url, headers } = request;
    if (URL.parse(url ?? '/', 'http://controller')?.pathname !== '/agent')
      return { status: '404 Not Found', reason: 'No WebSocket at this address' };
    // A browser sends it for every page: no page is an Agent, but an extension may be.
    const { origin } = headers;
    if (origin !== undefined && !/^(?:chrome|moz)-extension:\/\//.test(origin))
      return { status: '403 Forbidden', reason: 'A web page is not an Agent' };
    if (this.#inAll >= mostInAll || (this.#byAddress.get(this.#clients.read(request)) ?? 0) >= mostOfOneAddress) {
      return { status: '503 Service Unavailable', reason: 'Too many connections wait to be admitted' };
    }
    return null;
  }

  /** Counts one line as not admitted until the returned function is called, which may be called again. */
  enter(request: IncomingMessage): () => void {
    const address = this.#clients.read(request);
    this.#byAddress.set(address, (this.#byAddress.get(address) ?? 0) + 1);
    this.#inAll++;
    let isIn = true;
    return () => {
      if (!isIn) return;
      isIn = false;
      this.#inAll--;
      const left = this.#byAddress.get(address)! - 1;
      if (left > 0) this.#byAddress.set(address, left);
      else this.#byAddress.delete(address);
    };
  }
}

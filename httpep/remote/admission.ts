import { ranks } from '../scheduler/flow.ts';
import type { TunnelStream } from '../tunnel/tunnel-stream.ts';
import { tunnelLost, type LocalAnswer } from './answer-error.ts';
import type { Client, Clients } from './clients.ts';
import type { RemoteCounters } from './remote-counters.ts';
import type { TunnelKeeper } from './tunnel-keeper.ts';

const noProxyRequest: LocalAnswer = {
  status: 400,
  text: 'this is a proxy. Set it as the HTTP proxy of a browser, and ask for a complete URL',
};
/** What counts for clients that are not allowed. */
const stranger = '(not allowed)';
const tooMany: LocalAnswer = { status: 503, text: 'too many requests at a time. Try again later' };

export interface Admitted<Head> {
  head: Head;
  /** A stream to the ground end. */
  open: () => TunnelStream;
}

export type Admission<Head> = Admitted<Head> | { refusal: LocalAnswer };

/** Lets in what a client asks, or says why not. */
export class AdmissionControl {
  readonly #keeper: TunnelKeeper;
  readonly #clients: Clients;
  readonly #counters: RemoteCounters;

  constructor({ keeper, clients, counters }: { keeper: TunnelKeeper; clients: Clients; counters: RemoteCounters }) {
    this.#keeper = keeper;
    this.#clients = clients;
    this.#counters = counters;
  }

  /** `readHead` returns null for what is not asked of a proxy. What is admitted has a place until `over` resolves. */
  admit<Head>(
    { from, over }: { from: Client; over: Promise<unknown> },
    readHead: (user: string) => Head | null,
  ): Admission<Head> {
    const client = this.#clients.identify(from);
    if ('refusal' in client) {
      this.#counters.add(stranger, 'refused');
      return client;
    }
    const { user } = client;
    const head = readHead(user);
    if (head === null) return { refusal: noProxyRequest };
    if (this.#keeper.isLost) {
      this.#counters.add(user, 'failed');
      return { refusal: tunnelLost };
    }
    const place = this.#clients.enter(user);
    if (!place) {
      this.#counters.add(user, 'refused');
      return { refusal: tooMany };
    }
    void over.then(() => place[Symbol.dispose]());
    return { head, open: () => this.#keeper.tunnel.open({ user, userClass: '', rank: ranks.other }) };
  }
}

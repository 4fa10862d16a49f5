import { createHash, timingSafeEqual } from 'node:crypto';
import type { BlockList } from 'node:net';
import { isIPv6 } from 'node:net';
import { ranks } from '../scheduler/flow.ts';
import type { TunnelStream } from '../tunnel/tunnel-stream.ts';
import { tunnelLost, type LocalAnswer } from './answer-error.ts';
import type { RemoteCounters } from './remote-counters.ts';
import type { TunnelKeeper } from './tunnel-keeper.ts';

/** How many exchanges a user, or an address whose users nobody checks, may have at a time. */
const maxOfParty = 128;
/** How many exchanges all users together may have at a time. */
const maxOfAll = 1024;

export interface ClientSettings {
  /** Addresses that may use the proxy. */
  allowed: BlockList;
  /** Passwords by name, hashed by `hashPassword`; null where none are needed. */
  passwords: ReadonlyMap<string, Buffer> | null;
}

/** What shows who asks. */
export interface Client {
  /** Of the connection; undefined when it is gone. */
  address: string | undefined;
  /** `Proxy-Authorization`; null for none. */
  authorization: string | null;
}

/** Who uses the proxy, and how much at a time. */
export class Clients {
  readonly #settings: ClientSettings;
  readonly #open = new Map<string, number>();
  #openCount = 0;

  constructor(settings: ClientSettings) {
    this.#settings = settings;
  }

  /**
   * The user's name, or why the proxy refuses. The same address with other credentials is another user. Where nobody checks these, all of
   * an address count as one `party`: they may be made up.
   */
  identify({
    address: remoteAddress = '',
    authorization,
  }: Client): { user: string; party: string } | { refusal: LocalAnswer } {
    const address = remoteAddress.replace(/^::ffff:(?=\d+\.)/, '');
    const { allowed, passwords } = this.#settings;
    if (address === '' || !allowed.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')) {
      return { refusal: { status: 403, text: `${address} may not use this proxy. Allow it by --clients` } };
    }
    const credentials = readCredentials(authorization);
    if (passwords === null) {
      const hash = credentials && hashPassword(`${credentials.name}:${credentials.password}`).toString('hex');
      return { user: hash === null ? address : `${address} ${hash}`, party: address };
    }
    const expected = credentials && passwords.get(credentials.name);
    if (!expected || !timingSafeEqual(expected, hashPassword(credentials.password))) {
      return { refusal: { status: 407, text: 'this proxy needs a name and a password' } };
    }
    return { user: credentials.name, party: credentials.name };
  }

  /** Takes a place for an exchange until it is disposed of; null when there is none. */
  enter(party: string): Disposable | null {
    const ofParty = this.#open.get(party) ?? 0;
    if (ofParty >= maxOfParty || this.#openCount >= maxOfAll) return null;
    this.#open.set(party, ofParty + 1);
    this.#openCount += 1;
    let isOpen = true;
    return {
      [Symbol.dispose]: () => {
        if (!isOpen) return;
        isOpen = false;
        this.#openCount -= 1;
        const left = this.#open.get(party)! - 1;
        if (left === 0) this.#open.delete(party);
        else this.#open.set(party, left);
      },
    };
  }
}

export function hashPassword(password: string): Buffer {
  return createHash('sha256').update(password).digest();
}

function readCredentials(header: string | null): { name: string; password: string } | null {
  const encoded = /^basic +(\S+)$/i.exec(header ?? '')?.[1];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  return colon === -1 ? null : { name: text.slice(0, colon), password: text.slice(colon + 1) };
}

export const noProxyRequest: LocalAnswer = {
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

type Admission<Head> = Admitted<Head> | { refusal: LocalAnswer };

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
    const { user, party } = client;
    const head = readHead(user);
    if (head === null) return { refusal: noProxyRequest };
    if (this.#keeper.isLost) {
      this.#counters.add(user, 'failed');
      return { refusal: tunnelLost };
    }
    const place = this.#clients.enter(party);
    if (!place) {
      this.#counters.add(user, 'refused');
      return { refusal: tooMany };
    }
    void over.then(() => place[Symbol.dispose]());
    return { head, open: () => this.#keeper.tunnel.open({ user, userClass: '', rank: ranks.other }) };
  }
}

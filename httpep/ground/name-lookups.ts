import { lookup, type LookupAddress, type LookupAllOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { AddressPolicy } from './address-policy.ts';

/** Of libuv's threads, half may look names up at a time. https://docs.libuv.org/en/v1.x/threadpool.html */
const systemPlaces = Math.floor((Number(process.env['UV_THREADPOOL_SIZE'] ?? 4) + 1) / 2);

/** How long each but the last address of a name may take to answer. Unless it is asked for more, Node gives one up sooner than a web server far away answers. */
export const addressMs = 2000;

/** Finds the addresses of a name. */
export type Resolve = (
  host: string,
  options: LookupAllOptions,
  onFound: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;

interface Looker {
  user: string;
  mayReach: AddressPolicy;
}

/**
 * Looks names up, for the users in turn: a name that nobody answers for takes many seconds, and the system looks up a few at a time. Leaves out addresses that may not be
 * reached, so that no name leads inside.
 */
export class NameLookups {
  readonly #resolve: Resolve;
  /** Users whose lookups wait; the next one first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #free: number;

  /** `resolve` is that of the system, which takes so many at a time. */
  constructor({ resolve, places }: { resolve: Resolve; places: number } = { resolve: lookup, places: systemPlaces }) {
    this.#resolve = resolve;
    this.#free = places;
  }

  /** For the connections of a user. Fails with RefusedAddressError where all addresses of a name may not be reached. */
  of({ user, mayReach }: Looker): LookupFunction {
    return (host, options, callback) => {
      this.#inTurn(user, (done) =>
        this.#resolve(host, { ...options, all: true }, (error, found) => {
          done();
          if (error) {
            callback(error, []);
            return;
          }
          const addresses = found.filter(({ address }) => mayReach(address));
          const [first] = addresses;
          if (!first) callback(new RefusedAddressError(host), []);
          else if (options.all) callback(null, addresses);
          else callback(null, first.address, first.family);
        }),
      );
    };
  }

  #inTurn(user: string, start: (done: () => void) => void): void {
    const begin = () => start(() => this.#leave());
    if (this.#free > 0) {
      this.#free -= 1;
      begin();
      return;
    }
    const own = this.#waiting.get(user);
    if (own) own.push(begin);
    else this.#waiting.set(user, [begin]);
  }

  #leave(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#free += 1;
      return;
    }
    const [user, [begin, ...others]] = next as [string, [() => void, ...(() => void)[]]];
    this.#waiting.delete(user);
    if (others.length > 0) this.#waiting.set(user, others);
    begin();
  }
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

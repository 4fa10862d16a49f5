import { lookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { AddressPolicy } from './address-policy.ts';
import { RefusedAddressError } from './refused-address-error.ts';

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

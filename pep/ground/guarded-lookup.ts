import { lookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './address-policy.ts';
import { RefusedAddressError } from './refused-address-error.ts';

/** Resolves a name, and leaves out addresses that are not public, so that no name leads inside. */
export const guardedLookup: LookupFunction = (host, options, callback) => {
  lookup(host, { ...options, all: true }, (error, found: LookupAddress[]) => {
    if (error) {
      callback(error, []);
      return;
    }
    const addresses = found.filter(({ address }) => isPublicAddress(address));
    const [first] = addresses;
    if (!first) callback(new RefusedAddressError(host), []);
    else if (options.all) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};

/** Throws RefusedAddressError for an address in place of a name, which is not looked up. */
export function checkLiteral(host: string): void {
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw new RefusedAddressError(host);
}

import { AppError } from '../../app-error.ts';
import { parseAddress } from './address.ts';

/** A few addresses, quick to find those of a packet among. Throws `invalid-input` for a text that is no address. */
export class AddressSet {
  readonly #addresses: Uint8Array[];

  constructor(addresses: readonly string[]) {
    this.#addresses = addresses.map((text) => {
      const bytes = parseAddress(text);
      if (bytes === null)
        throw new AppError(
          'invalid-input',
          `"${text}" is not an IP address: write one such as 192.0.2.1 or 2001:db8::1`,
        );
      return bytes;
    });
  }

  has(bytes: Uint8Array, offset: number, addressBytes: number): boolean {
    for (const address of this.#addresses) {
      if (address.length !== addressBytes) continue;
      let index = 0;
      while (index < addressBytes && address[index] === bytes[offset + index]) index++;
      if (index === addressBytes) return true;
    }
    return false;
  }
}

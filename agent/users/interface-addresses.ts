import { SocketAddress } from 'node:net';
import { networkInterfaces } from 'node:os';
import { versionOf } from './source-rule.ts';

/** The addresses of each interface of this host that is up and has any. */
export type InterfaceAddresses = ReadonlyMap<string, readonly string[]>;

export function readInterfaceAddresses(): InterfaceAddresses {
  return new Map(
    Object.entries(networkInterfaces()).map(([name, addresses]) => [
      name,
      (addresses ?? []).map(({ address }) => address),
    ]),
  );
}

/** The notation that the system writes an address in. */
export function normaliseAddress(address: string): string {
  return new SocketAddress({ address, family: versionOf(address) === 6 ? 'ipv6' : 'ipv4' }).address;
}

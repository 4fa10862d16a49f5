import type { AddressSet } from '../decode/address-set.ts';
import type { DecodedPacket } from '../decode/decoded-packet.ts';

/** Relative to the local addresses. `other` is neither or both: broadcasts, ARP. */
export type Way = 'sent' | 'received' | 'other';

/** Which way a packet went; `other` where no local addresses are known. */
export function findWay(
  bytes: Uint8Array,
  { hasAddresses, ipVersion, sourceOffset, destinationOffset }: DecodedPacket,
  localAddresses: AddressSet | null,
): Way {
  if (localAddresses === null || !hasAddresses) return 'other';
  const addressBytes = ipVersion === 4 ? 4 : 16;
  const isFromHere = localAddresses.has(bytes, sourceOffset, addressBytes);
  const isToHere = localAddresses.has(bytes, destinationOffset, addressBytes);
  if (isFromHere === isToHere) return 'other';
  return isFromHere ? 'sent' : 'received';
}

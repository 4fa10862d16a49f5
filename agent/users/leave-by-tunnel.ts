import type { PassOrder } from '#core/protocol/pass-order.ts';
import { normaliseAddress, readInterfaceAddresses, type InterfaceAddresses } from './interface-addresses.ts';

/** The order with the interface by which the User Agent's traffic leaves: that of a tunnel that begins on this host, where it has the address. */
export function leaveByTunnel(order: PassOrder, addresses: InterfaceAddresses = readInterfaceAddresses()): PassOrder {
  const { sourceAddress, tunnelInterface } = order;
  if (sourceAddress === undefined || tunnelInterface === undefined) return order;
  const isHere = addresses.get(tunnelInterface)?.includes(normaliseAddress(sourceAddress)) ?? false;
  return isHere ? { ...order, interface: tunnelInterface } : order;
}

import { BlockList, isIP } from 'node:net';
import { AppError } from '#core/app-error.ts';

export const loopback = ['127.0.0.0/8', '::1'];

/** A list of addresses and networks, such as 192.168.1.0/24. Throws `invalid-input` that names the wrong one. */
export function readNetworks(networks: readonly string[], option: string): BlockList {
  const list = new BlockList();
  for (const text of networks) {
    const [address = '', length] = text.trim().split('/');
    const version = isIP(address);
    const bits = version === 6 ? 128 : 32;
    const prefix = length === undefined ? bits : Number(length);
    if (version === 0 || (length !== undefined && !/^\d{1,3}$/.test(length)) || prefix > bits) {
      throw new AppError('invalid-input', `${option}: ${text} is no address. Write 192.168.1.7 or 192.168.1.0/24`);
    }
    list.addSubnet(address, prefix, version === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}

import { BlockList, isIP } from 'node:net';

/** Not of the public network, by IANA's special-purpose registries: https://www.iana.org/assignments/iana-ipv4-special-registry */
const specialIPv4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
/** The last three hold an IPv4 address, which may be any. */
const specialIPv6 = [
  '::/128',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '3fff::/20',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '2002::/16',
];

const special = new BlockList();
for (const range of [...specialIPv4, ...specialIPv6]) {
  const [address, length] = range.split('/') as [string, string];
  special.addSubnet(address, Number(length), address.includes(':') ? 'ipv6' : 'ipv4');
}

/** Which addresses may be reached: public ones, and those that are allowed besides. */
export type AddressPolicy = (address: string) => boolean;

/** `allowPrivate`: true for all addresses, or those that are allowed besides public ones. */
export function makeAddressPolicy(allowPrivate: boolean | BlockList): AddressPolicy {
  if (allowPrivate === true) return () => true;
  return (address) => isPublicAddress(address) || (allowPrivate !== false && isIn(allowPrivate, address));
}

function isIn(list: BlockList, address: string): boolean {
  return isIP(address) !== 0 && list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/** Whether anybody on the public network may be reached there. An IPv4 address that is written as an IPv6 one counts as itself. */
export function isPublicAddress(address: string): boolean {
  return isIP(address) !== 0 && !isIn(special, address);
}

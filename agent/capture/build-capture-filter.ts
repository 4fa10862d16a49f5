import { AppError } from '#core/app-error.ts';
import { parseAddress } from '#core/packets/decode/address.ts';
import type { PortRange } from '../users/port-rule.ts';

export interface CaptureScope {
  /** Whose packets are wanted; none: everybody's. */
  addresses: readonly string[];
  /** Of these, packets from or to these ports of theirs alone; left out: all. */
  ports?: PortRange;
  /** What must not be in the capture: the control channel. */
  excluded?: readonly { address: string; port: number }[];
}

/** The filter, in pcap's language, for the packets of one User Agent without the control channel. Throws `invalid-input`. */
export function buildCaptureFilter({ addresses, ports, excluded = [] }: CaptureScope): string {
  const checked = addresses.map(checkAddress);
  const ofHosts = (side: '' | 'src ' | 'dst ') =>
    `(${checked.map((address) => `${side}host ${address}`).join(' or ')})`;
  const unwanted = excluded.map(({ address, port }) => `not (host ${checkAddress(address)} and tcp port ${port})`);
  // Of fragments after the first, which have no ports, none is seen: TCP does not send any. The other end may have such a port, too.
  const ofPorts = ({ first, last }: PortRange) =>
    `(${(['src ', 'dst '] as const).map((side) => `(${ofHosts(side)} and ${side}portrange ${first}-${last})`).join(' or ')})`;
  const wanted = checked.length === 0 ? [] : [ports ? ofPorts(ports) : ofHosts('')];
  return [...wanted, ...unwanted].join(' and ');
}

function checkAddress(text: string): string {
  if (parseAddress(text) === null)
    throw new AppError(
      'invalid-input',
      `"${text}" is no IP address that packets can be chosen by: write one such as 192.0.2.1 or 2001:db8::1`,
    );
  return text;
}

import { AppError } from '#core/app-error.ts';
import { parseAddress } from '#core/packets/decode/address.ts';

export interface CaptureScope {
  /** Whose packets are wanted; none: everybody's. */
  addresses: readonly string[];
  /** Of these, packets from or to these ports alone; left out: all. */
  ports?: { first: number; last: number };
  /** What must not be in the capture: the control channel. */
  excluded?: readonly { address: string; port: number }[];
}

/** The filter, in pcap's language, for the packets of one User Agent without the control channel. Throws `invalid-input`. */
export function buildCaptureFilter({ addresses, ports, excluded = [] }: CaptureScope): string {
  const wanted = addresses.map((address) => `host ${checkAddress(address)}`).join(' or ');
  const unwanted = excluded.map(({ address, port }) => `not (host ${checkAddress(address)} and tcp port ${port})`);
  // Of fragments after the first, which have no ports, none is seen: TCP does not send any.
  const ofPorts = ports ? [`portrange ${ports.first}-${ports.last}`] : [];
  return [...(wanted === '' ? [] : [`(${wanted})`]), ...ofPorts, ...unwanted].join(' and ');
}

function checkAddress(text: string): string {
  if (parseAddress(text) === null)
    throw new AppError(
      'invalid-input',
      `"${text}" is no IP address that packets can be chosen by: write one such as 192.0.2.1 or 2001:db8::1`,
    );
  return text;
}

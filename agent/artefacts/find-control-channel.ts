import { lookup } from 'node:dns/promises';

/** The Controller's end of every Agent's line to it, as this host knows it: no trace is to hold its packets. */
export async function findControlChannel(controllerUrl: string): Promise<{ address: string; port: number }[]> {
  const { hostname, port, protocol } = new URL(controllerUrl);
  const addresses = await lookup(hostname.replace(/^\[|\]$/g, ''), { all: true });
  return addresses.map(({ address }) => ({ address, port: Number(port || (protocol === 'https:' ? 443 : 80)) }));
}

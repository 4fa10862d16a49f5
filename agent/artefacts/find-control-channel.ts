import { lookup } from 'node:dns/promises';

/** The ends of Controllers that an Agent may have its line to, as this host knows them: no trace is to hold its packets. Throws when the host knows none of them. */
export async function findControlChannel(
  controllerUrls: readonly string[],
): Promise<{ address: string; port: number }[]> {
  const found = await Promise.allSettled(controllerUrls.map(findEnds));
  const known = found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  // There is no line to a name that the host cannot resolve.
  const unknown = found.find((each) => each.status === 'rejected');
  if (known.length === 0 && unknown) throw unknown.reason as Error;
  return known;
}

async function findEnds(controllerUrl: string): Promise<{ address: string; port: number }[]> {
  const { hostname, port, protocol } = new URL(controllerUrl);
  const addresses = await lookup(hostname.replace(/^\[|\]$/g, ''), { all: true });
  return addresses.map(({ address }) => ({ address, port: Number(port || (protocol === 'https:' ? 443 : 80)) }));
}

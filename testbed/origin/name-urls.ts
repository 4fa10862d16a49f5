import { isIPv6 } from 'node:net';
import { listenerSettings, type BasicListenerName, type ListenerName } from './listeners.ts';

export type ListenerUrls = Record<BasicListenerName, string> & Partial<Record<ListenerName, string>>;

const foreignListeners: ReadonlySet<ListenerName> = new Set(['crossOrigin', 'front-cross-origin']);

/** Each listener's own URL. The second origin has another host name where there is one, so that it is another site too. */
export function nameUrls(host: string, ports: ReadonlyMap<ListenerName, number>): ListenerUrls {
  const urls = [...ports].map(([name, port]) => [
    name,
    `${schemeOf(name)}://${foreignListeners.has(name) ? foreignHost(host) : literal(host)}:${port}`,
  ]);
  return Object.fromEntries(urls) as ListenerUrls; // the basic ones are in every origin
}

/**
 * The base URL of the objects that are foreign to a listener's pages. Pages over TLS have theirs over TLS, lest browsers
 * refuse mixed content; there the two basic TLS listeners are foreign to each other, and so are the two of the front.
 */
export function nameForeignUrl(
  host: string,
  { ports, name }: { ports: ReadonlyMap<ListenerName, number>; name: ListenerName },
): string {
  if (name === 'crossOrigin') return `http://${literal(host)}:${ports.get('http')}`;
  const front = ports.get(name === 'front' ? 'front-cross-origin' : 'front');
  if (listenerSettings(name).kind === 'front')
    return `https://${name === 'front' ? foreignHost(host) : literal(host)}:${front}`;
  if (schemeOf(name) === 'http') return `http://${foreignHost(host)}:${ports.get('crossOrigin')}`;
  return `https://${foreignHost(host)}:${ports.get(name === 'https' ? 'http2' : 'https')}`;
}

/** The names and addresses that the certificate is for. */
export function nameCertificateHosts(...hosts: (string | undefined)[]): string[] {
  const own = hosts.filter((host) => host !== undefined);
  return [...new Set(['localhost', '127.0.0.1', '::1', 'origin.test', '*.origin.test', ...own])];
}

function schemeOf(name: ListenerName): 'http' | 'https' {
  return listenerSettings(name).kind === 'http' ? 'http' : 'https';
}

function foreignHost(host: string): string {
  return host === '127.0.0.1' || host === '::1' ? 'localhost' : literal(host);
}

function literal(host: string): string {
  return isIPv6(host) ? `[${host}]` : host;
}

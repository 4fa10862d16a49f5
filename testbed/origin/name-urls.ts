import { isIPv6 } from 'node:net';
import type { ListenerName } from './truth-log.ts';

/** Each listener's own URL. The second origin has another host name where there is one, so that it is another site too. */
export function nameUrls(host: string, ports: Record<ListenerName, number>): Record<ListenerName, string> {
  return {
    http: `http://${literal(host)}:${ports.http}`,
    https: `https://${literal(host)}:${ports.https}`,
    http2: `https://${literal(host)}:${ports.http2}`,
    crossOrigin: `http://${foreignHost(host)}:${ports.crossOrigin}`,
  };
}

/**
 * The base URL of the objects that are foreign to each listener's pages. Pages over TLS have theirs over TLS, lest browsers
 * refuse mixed content; there the two TLS listeners are foreign to each other.
 */
export function nameForeignUrls(host: string, ports: Record<ListenerName, number>): Record<ListenerName, string> {
  return {
    http: `http://${foreignHost(host)}:${ports.crossOrigin}`,
    crossOrigin: `http://${literal(host)}:${ports.http}`,
    https: `https://${foreignHost(host)}:${ports.http2}`,
    http2: `https://${foreignHost(host)}:${ports.https}`,
  };
}

/** The names and addresses that the certificate is for. */
export function nameCertificateHosts(host: string): string[] {
  return [...new Set(['localhost', '127.0.0.1', '::1', 'origin.test', '*.origin.test', host])];
}

function foreignHost(host: string): string {
  return host === '127.0.0.1' || host === '::1' ? 'localhost' : literal(host);
}

function literal(host: string): string {
  return isIPv6(host) ? `[${host}]` : host;
}

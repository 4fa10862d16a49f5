import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { maximumDocumentBytes } from '#core/metrics/page-failure.ts';
import type { FailureCode } from '#core/metrics/failure-code.ts';
import type { Origin } from '#testbed/origin/start-origin.ts';

/** A way for a page not to come, and the code that every engine gives it. */
export interface FailureKind {
  name: string;
  code: FailureCode;
  /** The address to visit. */
  address: (place: FailurePlace) => string;
  /** Whether every request goes to a proxy that nobody listens for. */
  isProxyDown?: true;
  /** Whether the Visit is aborted once it has begun. */
  isAborted?: true;
}

export interface FailurePlace {
  origin: Origin;
  /** Where nobody listens. */
  closedUrl: string;
}

/** The 12 kinds; where one engine distinguishes two forms of one kind and another does not, both forms are here. */
export const failureKinds: FailureKind[] = [
  { name: 'a name that does not exist', code: 'dns-failure', address: () => 'http://no-such-name.invalid/' },
  { name: 'a port that nobody listens on', code: 'connection-refused', address: ({ closedUrl }) => closedUrl },
  {
    name: 'a connection that is reset before it answers',
    code: 'connection-reset',
    address: ({ origin }) => `${origin.httpUrl}/reset`,
  },
  {
    name: 'a connection that is closed before it answers',
    code: 'connection-reset',
    address: ({ origin }) => `${origin.httpUrl}/empty`,
  },
  {
    name: 'a certificate of an unknown authority',
    code: 'tls-failure',
    address: ({ origin }) => `${origin.httpsUrl}/images/1`,
  },
  { name: 'an answer that never comes', code: 'timeout', address: ({ origin }) => `${origin.httpUrl}/hang` },
  { name: 'a status of 404', code: 'http-client-error', address: ({ origin }) => `${origin.httpUrl}/status/404` },
  {
    name: 'a page that asks for a password',
    code: 'http-client-error',
    address: ({ origin }) => `${origin.httpUrl}/auth`,
  },
  {
    name: 'a redirect to a status of 410',
    code: 'http-client-error',
    address: ({ origin }) => `${origin.httpUrl}/redirect/2/to/status/410`,
  },
  { name: 'a status of 503', code: 'http-server-error', address: ({ origin }) => `${origin.httpUrl}/status/503` },
  { name: 'a status of 204', code: 'empty-response', address: ({ origin }) => `${origin.httpUrl}/status/204` },
  {
    name: 'a status of 304, of a page that no cache has',
    code: 'empty-response',
    address: ({ origin }) => `${origin.httpUrl}/status/304`,
  },
  { name: 'a page without a byte', code: 'empty-response', address: ({ origin }) => `${origin.httpUrl}/blank` },
  {
    name: 'a redirect that never ends',
    code: 'redirect-loop',
    address: ({ origin }) => `${origin.httpUrl}/redirect-loop`,
  },
  {
    name: 'a Visit that is aborted',
    code: 'aborted',
    address: ({ origin }) => `${origin.httpUrl}/hang`,
    isAborted: true,
  },
  {
    name: 'a page that is too large, and says so',
    code: 'too-large',
    address: ({ origin }) => `${origin.httpUrl}/large/${maximumDocumentBytes + 1}`,
  },
  {
    name: 'a page that is too large, says so, and does not come in time',
    code: 'too-large',
    address: ({ origin }) => `${origin.httpUrl}/large/${maximumDocumentBytes + 1}?delayMs=20000`,
  },
  {
    name: 'a proxy that is down',
    code: 'proxy-failure',
    address: ({ origin }) => `${origin.httpUrl}/images/1`,
    isProxyDown: true,
  },
  { name: 'a file to download', code: 'unsupported-content', address: ({ origin }) => `${origin.httpUrl}/download` },
  { name: 'an address that is none', code: 'unsupported-content', address: () => 'not an address' },
  { name: 'a file of this machine', code: 'unsupported-content', address: () => 'file:///etc/hostname' },
  { name: 'a page of the browser itself', code: 'unsupported-content', address: () => 'about:config' },
];

/** The address of a port that was free a moment ago. */
export async function findClosedUrl(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}`;
}

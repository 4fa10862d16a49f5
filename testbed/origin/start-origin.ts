import { createAuthority, loadAuthority } from './certificates/certificate-authority.ts';
import { issueCertificate } from './certificates/issue-certificate.ts';
import { openFront } from './front/open-front.ts';
import {
  basicListenerNames,
  ownListenerNames,
  type ListenerName,
  type OwnListenerName,
  listenerSettings,
  type BasicListenerName,
} from './listeners.ts';
import { prepareImages } from './objects/prepare-images.ts';
import {
  type Arrival,
  type SocketArrival,
  type Listener,
  type ListenerOptions,
  openListener,
} from './open-listener.ts';
import { type OriginOptions, parseOriginOptions } from './origin-options.ts';
import { epochClock } from '#core/clock/epoch-clock.ts';
import { routeRequests } from './route-requests.ts';
import { serveRequest } from './serve-request.ts';
import { openTaskSocket, OpenTasks } from './tasks/open-task-socket.ts';
import { TruthRecorder, truthOf, type TruthLog } from './truth-log.ts';
import { createHash, X509Certificate } from 'node:crypto';
import type { AnyRequest, AnyResponse } from './create-server.ts';
import { isIPv6 } from 'node:net';

type ListenerUrls = Record<BasicListenerName, string> & Partial<Record<ListenerName, string>>;

const foreignListeners: ReadonlySet<ListenerName> = new Set(['crossOrigin', 'front-cross-origin']);

export const truthPath = '/__truth';

export interface Origin extends AsyncDisposable {
  /** Of each listener. */
  urls: ListenerUrls;
  /** The same at the second address, which is of IPv6; null without one. */
  ipv6Urls: ListenerUrls | null;
  /** HTTP/1.1 without TLS. This listener alone answers `/__truth`. */
  httpUrl: string;
  /** HTTP/1.1 only, over TLS. */
  httpsUrl: string;
  /** HTTP/2 over TLS, HTTP/1.1 for clients that do not offer `h2`. */
  http2Url: string;
  /** Another origin, and for a loopback host another site, than `httpUrl`: plain HTTP/1.1. */
  crossOriginUrl: string;
  /** For Chromium's `--ignore-certificate-errors-spki-list`, with which HTTPS is cached as it should be. */
  trustedKey: string;
  /** The authority's certificate in PEM, for clients that take one. */
  authorityCertificate: string;
  truth: TruthLog;
  /** Aborts, with an AppError, when its front ended by itself. */
  failed: AbortSignal;
  /** Closes the listeners and every connection, and ends the front. */
  close(): Promise<void>;
}

type OriginPorts = ReadonlyMap<ListenerName, number>;

/**
 * Starts the origin servers that know what really happened. Throws `invalid-input` for options that make no sense and
 * `port-taken` when one of the ports cannot be had, and `testbed-failed` when HTTP/3 cannot.
 */
export async function startOrigin(options: OriginOptions = {}): Promise<Origin> {
  const {
    host,
    ipv6Host,
    ports,
    listeners: which,
    http3,
    authorityFolder,
    imagesFolder,
    imageSizes,
    seed,
  } = parseOriginOptions(options);
  const nowEpochMs = epochClock();
  const [authority, prepared] = await Promise.all([
    authorityFolder === undefined ? createAuthority(nowEpochMs) : loadAuthority(authorityFolder, nowEpochMs),
    prepareImages({ folder: imagesFolder, seed }),
  ]);
  const certificate = await issueCertificate(authority, { hosts: nameCertificateHosts(host, ipv6Host), nowEpochMs });
  for (const sizeBytes of imageSizes) await prepared.sized.prepare(sizeBytes);
  const recorder = new TruthRecorder();
  await using opening = new AsyncDisposableStack();
  const tasks = opening.use(new OpenTasks(epochClock));
  const handle = routeRequests(prepared, tasks);
  const upgrade = (arrival: SocketArrival) => openTaskSocket(arrival, { tasks, readEpochMs: epochClock });

  const serve = (arrival: Arrival, place: { host: string; name: ListenerName; ports: OriginPorts }) => {
    if (place.name === 'http' && arrival.request.url?.startsWith(truthPath)) {
      serveTruth(arrival.request, arrival.response, recorder);
      return;
    }
    const crossOriginUrl = nameForeignUrl(place.host, place);
    void serveRequest(arrival, { recorder, readEpochMs: epochClock, crossOriginUrl, handle });
  };
  const open = (at: string, wanted: Partial<Record<ListenerName, number | undefined>>) =>
    openListeners({
      host: at,
      names: which === 'all' ? ownListenerNames : basicListenerNames,
      ports: wanted,
      certificate,
      recorder,
      readEpochMs: epochClock,
      serve: (arrival, place) => serve(arrival, { host: at, ...place }),
      upgrade,
    });
  const listeners = opening.adopt(await open(host, ports), (each) => each.close());
  if (ipv6Host !== undefined)
    opening.adopt(await open(ipv6Host, Object.fromEntries(listeners.ports)), (each) => each.close());
  const front = http3
    ? opening.adopt(
        await openFront({
          hosts: [host, ...(ipv6Host === undefined ? [] : [ipv6Host])],
          ports,
          certificate,
          recorder,
          serve: (arrival, { listener, ...place }) => serve(arrival, { name: listener, ...place }),
          upgrade,
        }),
        (each) => each.close(),
      )
    : null;
  const opened = opening.move();
  const allPorts: OriginPorts = new Map([...listeners.ports, ...(front?.ports ?? [])]);
  const urls = nameUrls(host, allPorts);
  return {
    urls,
    ipv6Urls: ipv6Host === undefined ? null : nameUrls(ipv6Host, allPorts),
    httpUrl: urls.http,
    httpsUrl: urls.https,
    http2Url: urls.http2,
    crossOriginUrl: urls.crossOrigin,
    trustedKey: hashPublicKey(authority.certificate),
    authorityCertificate: authority.certificate,
    truth: recorder,
    failed: front?.failed ?? new AbortController().signal,
    close: () => opened.disposeAsync(),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/**
 * Base64 SHA-256 of a certificate's SubjectPublicKeyInfo, the form that Chromium's `--ignore-certificate-errors-spki-list`
 * takes. https://www.rfc-editor.org/rfc/rfc7469#section-2.4
 */
export function hashPublicKey(certificate: string | Buffer): string {
  const key = new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(key).digest('base64');
}

/**
 * The log over HTTP, itself not logged: `GET /__truth?visit=ID` (all Visits without one), `DELETE /__truth`. It has no CORS
 * headers, so no page can read it.
 */
export function serveTruth(request: AnyRequest, response: AnyResponse, log: TruthLog): void {
  switch (request.method) {
    case 'GET': {
      const visit = new URL(request.url ?? truthPath, 'http://origin').searchParams.get('visit') ?? undefined;
      const requests = log.requests(visit);
      const truth = visit === undefined || requests.length === 0 ? null : truthOf(log, visit);
      response.setHeader('content-type', 'application/json');
      response.setHeader('cache-control', 'no-store');
      response.end(JSON.stringify({ truth, requests, connections: log.connections() }));
      return;
    }
    case 'DELETE':
      log.clear();
      response.statusCode = 204;
      response.end();
      return;
    default:
      response.statusCode = 405;
      response.setHeader('allow', 'GET, DELETE');
      response.end(`${truthPath} answers GET and DELETE only.\n`);
  }
}

interface Listeners {
  /** Of those that were opened. */
  ports: ReadonlyMap<OwnListenerName, number>;
  /** Closes all of them; to call it again does nothing more. */
  close(): Promise<void>;
}

interface ListenersOptions extends Omit<ListenerOptions, 'name' | 'port' | 'serve'> {
  names: readonly OwnListenerName[];
  ports: Partial<Record<OwnListenerName, number | undefined>>;
  /** With the listener at which it arrived, and the ports of all. */
  serve: (arrival: Arrival, at: { name: OwnListenerName; ports: Listeners['ports'] }) => void;
}

/** Opens all listeners or none. Throws `port-taken`. */
async function openListeners({ names, ports, serve, ...shared }: ListenersOptions): Promise<Listeners> {
  const open: Listener[] = [];
  const closeAll = async (): Promise<void> => {
    await Promise.all(open.splice(0).map((listener) => listener.close()));
  };
  const opened = new Map<OwnListenerName, number>();
  try {
    for (const name of names) {
      const listener = await openListener({
        ...shared,
        name,
        port: ports[name] ?? 0,
        serve: (arrival) => serve(arrival, { name, ports: opened }),
      });
      open.push(listener);
      opened.set(name, listener.port);
    }
    return { ports: opened, close: closeAll };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** Each listener's own URL. The second origin has another host name where there is one, so that it is another site too. */
function nameUrls(host: string, ports: ReadonlyMap<ListenerName, number>): ListenerUrls {
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
function nameForeignUrl(
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
function nameCertificateHosts(...hosts: (string | undefined)[]): string[] {
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

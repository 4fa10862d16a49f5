import { createAuthority } from './certificates/certificate-authority.ts';
import { hashPublicKey } from './certificates/hash-public-key.ts';
import { issueCertificate } from './certificates/issue-certificate.ts';
import { loadAuthority } from './certificates/load-authority.ts';
import { openFront } from './front/open-front.ts';
import { basicListenerNames, ownListenerNames, type ListenerName } from './listeners.ts';
import { nameCertificateHosts, nameForeignUrl, nameUrls, type ListenerUrls } from './name-urls.ts';
import { prepareImages } from './objects/prepare-images.ts';
import type { Arrival, SocketArrival } from './open-listener.ts';
import { openListeners } from './open-listeners.ts';
import { type OriginOptions, parseOriginOptions } from './origin-options.ts';
import { epochClock } from '#core/clock/epoch-clock.ts';
import { routeRequests } from './route-requests.ts';
import { serveRequest } from './serve-request.ts';
import { openTaskSocket } from './tasks/open-task-socket.ts';
import { OpenTasks } from './tasks/open-tasks.ts';
import { serveTruth, truthPath } from './serve-truth.ts';
import { type TruthLog, TruthRecorder } from './truth-log.ts';

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

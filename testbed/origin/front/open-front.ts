import { randomBytes } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import type { ServerCertificate } from '../certificates/issue-certificate.ts';
import { frontListenerNames, type FrontListenerName } from '../listeners.ts';
import { type Arrival, describeListenFailure } from '../open-listener.ts';
import { openBackend, type BackendOptions } from './open-backend.ts';
import { configureCaddy } from './configure-caddy.ts';
import { findFreePort } from './find-free-port.ts';
import { runCaddy } from './run-caddy.ts';

export interface Front {
  ports: ReadonlyMap<FrontListenerName, number>;
  /** Aborts, with an AppError, when it ended by itself. */
  failed: AbortSignal;
  close(): Promise<void>;
}

interface OpenFrontOptions extends Omit<BackendOptions, 'secret' | 'serve'> {
  /** The addresses that it listens at, on the same ports. */
  hosts: readonly string[];
  ports: Partial<Record<FrontListenerName, number | undefined>>;
  certificate: ServerCertificate;
  /** With the place at which it arrived, and the ports of all. */
  serve: (arrival: Arrival, at: { listener: FrontListenerName; host: string; ports: Front['ports'] }) => void;
}

/** A server in front of the origin that speaks HTTP/3 too: Caddy, which passes all requests on to it. Throws `port-taken` and `testbed-failed`. */
export async function openFront({ hosts, ports, certificate, serve, ...options }: OpenFrontOptions): Promise<Front> {
  const secret = randomBytes(16).toString('hex');
  const addressed = hosts.flatMap((host) => listAddresses(host).map((address) => ({ host, address })));
  const addresses = addressed.map(({ address }) => address);
  const chosen = new Map<FrontListenerName, number>();
  for (const name of frontListenerNames)
    chosen.set(name, await choosePort({ name, addresses, wanted: ports[name] ?? 0 }));
  await using opening = new AsyncDisposableStack();
  const backend = opening.adopt(
    await openBackend({
      ...options,
      serve: (arrival, place) => serve(arrival, { ...place, ports: chosen }),
      secret,
    }),
    (each) => each.close(),
  );
  const places = [...chosen].flatMap(([listener, port]) => addressed.map((place) => ({ ...place, listener, port })));
  const caddy = opening.adopt(
    await runCaddy(configureCaddy({ places, certificate, backendPort: backend.port, secret })),
    (each) => each.close(),
  );
  const opened = opening.move();
  return { ports: chosen, failed: caddy.failed, close: () => opened.disposeAsync() };
}

/** Browsers look for `localhost`, the other origin, at both loopback addresses, and for HTTP/3 may try only the first. */
function listAddresses(host: string): string[] {
  const loopback = ['127.0.0.1', '::1'];
  if (!loopback.includes(host)) return [host];
  const own = Object.values(networkInterfaces()).flatMap((each) => each?.map(({ address }) => address) ?? []);
  return loopback.filter((address) => address === host || own.includes(address));
}

async function choosePort({
  name,
  addresses,
  wanted,
}: {
  name: FrontListenerName;
  addresses: readonly string[];
  wanted: number;
}): Promise<number> {
  try {
    return await findFreePort(addresses, wanted);
  } catch (cause) {
    throw describeListenFailure({ name, host: addresses[0]!, port: wanted }, cause);
  }
}

import { randomBytes } from 'node:crypto';
import type { ServerCertificate } from '../certificates/issue-certificate.ts';
import { frontListenerNames, type FrontListenerName } from '../listeners.ts';
import { describeListenFailure } from '../open-listener.ts';
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

interface OpenFrontOptions extends Omit<BackendOptions, 'secret'> {
  /** The addresses that it listens at, on the same ports. */
  hosts: readonly string[];
  ports: Partial<Record<FrontListenerName, number | undefined>>;
  certificate: ServerCertificate;
}

/** A server in front of the origin that speaks HTTP/3 too: Caddy, which passes all requests on to it. Throws `port-taken` and `testbed-failed`. */
export async function openFront({ hosts, ports, certificate, ...options }: OpenFrontOptions): Promise<Front> {
  const secret = randomBytes(16).toString('hex');
  const chosen = new Map<FrontListenerName, number>();
  for (const name of frontListenerNames) chosen.set(name, await choosePort({ name, hosts, wanted: ports[name] ?? 0 }));
  await using opening = new AsyncDisposableStack();
  const backend = opening.adopt(await openBackend({ ...options, secret }), (each) => each.close());
  const places = [...chosen].flatMap(([listener, port]) => hosts.map((host) => ({ listener, host, port })));
  const caddy = opening.adopt(
    await runCaddy(configureCaddy({ places, certificate, backendPort: backend.port, secret })),
    (each) => each.close(),
  );
  const opened = opening.move();
  return { ports: chosen, failed: caddy.failed, close: () => opened.disposeAsync() };
}

async function choosePort({
  name,
  hosts,
  wanted,
}: {
  name: FrontListenerName;
  hosts: readonly string[];
  wanted: number;
}): Promise<number> {
  try {
    return await findFreePort(hosts, wanted);
  } catch (cause) {
    throw describeListenFailure({ name, host: hosts[0]!, port: wanted }, cause);
  }
}

import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { findMissingTools, pathWithTools } from '#testbed/namespaces/require-tools.ts';
import { frontTools } from '#testbed/origin/front/run-caddy.ts';
import { fixedPorts, listenerNames, listenerSettings } from '#testbed/origin/listeners.ts';
import { startOrigin } from '#testbed/origin/start-origin.ts';
import { tryInstallPackages } from '../install-packages.ts';
import { findHome } from '../installation.ts';
import { watchInterrupts, untilAborted } from '../watch-interrupts.ts';

export interface OriginCommandOptions {
  host: string;
  port: number;
  tlsPort: number;
  all?: true;
  http3?: true;
  json?: true;
}

/** Serves until interrupted. The key to trust stays the same on this machine, so that an Evaluation can name it. Throws `invalid-input`, `port-taken` and `testbed-failed`. */
export async function runOrigin({ host, port, tlsPort, all, http3, json }: OriginCommandOptions): Promise<void> {
  using interrupts = watchInterrupts();
  const authorityFolder = path.join(findHome(process.env), 'origin');
  const { front, 'front-cross-origin': frontCrossOrigin } = fixedPorts;
  const ports = {
    ...(all ? fixedPorts : { front, 'front-cross-origin': frontCrossOrigin }),
    http: port,
    http2: tlsPort,
  };
  if (http3) await prepareFront({ say: (line) => console.error(line), signal: interrupts.signal });
  await using origin = await startOrigin({
    host,
    listeners: all ? 'all' : 'basic',
    http3: http3 === true,
    ports,
    authorityFolder,
  });
  const { httpUrl, http2Url, urls, trustedKey } = origin;
  if (json) console.log(JSON.stringify({ httpUrl, http2Url, urls, trustedKey }));
  else {
    const further = listenerNames.filter(
      (name) =>
        (all || listenerSettings(name).kind === 'front') &&
        urls[name] !== undefined &&
        name !== 'http' &&
        name !== 'http2',
    );
    const lines = [
      `HTTP/1.1: ${httpUrl}/images/10`,
      `HTTP/2 over TLS: ${http2Url}/images/10`,
      ...further.map((name) => `${listenerSettings(name).purpose}: ${urls[name]}/images/10`),
      `Key for "trustedKeys" of each Scenario: ${trustedKey}`,
      'Serving until Ctrl-C',
    ];
    console.log(lines.join('\n'));
  }
  await untilAborted(AbortSignal.any([interrupts.signal, origin.failed]));
  if (origin.failed.aborted) throw origin.failed.reason;
}

/** Installs the program that HTTP/3 needs, if it is missing and this is root on a Debian. Elsewhere nothing: the origin reports what is missing. */
export async function prepareFront(progress: { say: (line: string) => void; signal: AbortSignal }): Promise<void> {
  if (findMissingTools(pathWithTools(process.env), frontTools).length === 0) return;
  await tryInstallPackages(Object.values(frontTools), progress);
  // Its package starts a web server on ports 80 and 443, which nobody asked for.
  spawnSync('systemctl', ['disable', '--now', 'caddy.service'], { stdio: 'ignore' });
}

import path from 'node:path';
import { startOrigin } from '#testbed/origin/start-origin.ts';
import { findHome } from '../find-home.ts';
import { untilAborted } from '../up/until-aborted.ts';
import { watchInterrupts } from '../watch-interrupts.ts';

export interface OriginCommandOptions {
  host: string;
  port: number;
  tlsPort: number;
  json?: true;
}

/** Serves until interrupted. The key to trust stays the same on this machine, so that an Evaluation can name it. Throws `invalid-input` and `port-taken`. */
export async function runOrigin({ host, port, tlsPort, json }: OriginCommandOptions): Promise<void> {
  using interrupts = watchInterrupts();
  const authorityFolder = path.join(findHome(process.env), 'origin');
  await using origin = await startOrigin({ host, ports: { http: port, http2: tlsPort }, authorityFolder });
  const { httpUrl, http2Url, trustedKey } = origin;
  if (json) console.log(JSON.stringify({ httpUrl, http2Url, trustedKey }));
  else
    console.log(
      `HTTP/1.1: ${httpUrl}/images/10\nHTTP/2 over TLS: ${http2Url}/images/10\nKey for "trustedKeys" of each Scenario: ${trustedKey}\nServing until Ctrl-C`,
    );
  await untilAborted(interrupts.signal);
}

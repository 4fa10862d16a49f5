import type { Network } from './network.ts';

/** The TCP variants that a network names, each once: those of its ends, and of its transport PEP. */
export function listTcpVariants({ tcp, tcpPep }: Network): string[] {
  return [...new Set([tcp.ground, tcp.remote, tcpPep].flatMap((end) => end?.congestionControl ?? []))];
}

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { z } from 'zod';
import { dnsAddress, dnsUpstreamAddress } from '../../namespaces/addresses.ts';
import { serveOrders } from '../../namespaces/serve-orders.ts';
import { DnsCache } from './dns-cache.ts';
import { dnsPort, openDnsServer } from './open-dns-server.ts';

/** Longer than a round trip over a satellite with capacity on demand. */
const askAgainMs = 2_000;
const attempts = 5;

/** Asks the server beyond the link, from a port of its own for each question, and again where a packet was lost. */
async function ask(query: Buffer): Promise<Buffer> {
  const socket = createSocket('udp4');
  try {
    socket.connect(dnsPort, dnsUpstreamAddress);
    await once(socket, 'connect');
    for (let attempt = 1; ; attempt++) {
      const answered = once(socket, 'message', { signal: AbortSignal.timeout(askAgainMs) }) as Promise<[Buffer]>;
      socket.send(query);
      try {
        return (await answered)[0];
      } catch (error) {
        if (attempt === attempts) throw error;
      }
    }
  } finally {
    socket.close();
  }
}

/** The resolver at the terminal, which remembers: a process of its own in `remote`, at the address that all ask. */
const cache = new DnsCache({ ask, nowMs: () => performance.now() });
await openDnsServer({ address: dnsAddress }, cache.answer);
serveOrders(z.never(), () => null);

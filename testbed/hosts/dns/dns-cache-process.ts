import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { z } from 'zod';
import { dnsAddress, dnsUpstreamAddress } from '../../namespaces/addresses.ts';
import { serveOrders } from '../../namespaces/serve-orders.ts';
import { DnsCache } from './dns-cache.ts';
import { dnsPort, openDnsServer } from './open-dns-server.ts';

/** As long as programs wait for an answer before they ask again. */
const answerWithinMs = 5_000;

/** Asks the server beyond the link, from a port of its own for each question. */
async function ask(query: Buffer): Promise<Buffer> {
  const socket = createSocket('udp4');
  try {
    socket.connect(dnsPort, dnsUpstreamAddress);
    await once(socket, 'connect');
    socket.send(query);
    const [message] = (await once(socket, 'message', { signal: AbortSignal.timeout(answerWithinMs) })) as [Buffer];
    return message;
  } finally {
    socket.close();
  }
}

/** The resolver at the terminal, which remembers: a process of its own in `remote`, at the address that all ask. */
const cache = new DnsCache({ ask, nowMs: () => performance.now() });
await openDnsServer({ address: dnsAddress }, cache.answer);
serveOrders(z.never(), () => null);

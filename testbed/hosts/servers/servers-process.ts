import { epochClock } from '#core/clock/epoch-clock.ts';
import { dnsAddress, dnsUpstreamAddress } from '../../namespaces/addresses.ts';
import { serveOrders } from '../../namespaces/serve-orders.ts';
import { createAuthority, loadAuthority } from '../../origin/certificates/certificate-authority.ts';
import { answerQuery, type DnsHost } from '../dns/answer-query.ts';
import { openDnsServer } from '../dns/open-dns-server.ts';
import { HostServers } from './host-servers.ts';
import { ServersOptionsSchema, ServersOrderSchema, type ServersAnswer } from './servers-messages.ts';

/** All hosts that have names, and the server of DNS that knows them, as one process in `hosts`. */
async function main(): Promise<void> {
  const { authorityFolder } = ServersOptionsSchema.parse(JSON.parse(process.argv[2]!));
  const nowEpochMs = epochClock();
  const authority = await (authorityFolder === undefined
    ? createAuthority(nowEpochMs)
    : loadAuthority(authorityFolder, nowEpochMs));
  const onFailure = (error: unknown) => {
    console.error((error as Error).message);
    process.exit(1);
  };
  const servers = new HostServers({ authority, onFailure });
  let named = new Map<string, DnsHost>();
  for (const address of [dnsAddress, dnsUpstreamAddress])
    await openDnsServer({ address }, (message, by) =>
      answerQuery(message, { hosts: named, ...(by === 'tcp' && { mostBytes: Infinity }) }),
    );

  serveOrders(ServersOrderSchema, async (order): Promise<ServersAnswer> => {
    try {
      named = new Map();
      await servers.serve(order);
      named = new Map(order.hosts.flatMap((host) => host.names.map((name) => [name, host] as const)));
      return { problem: null };
    } catch (error) {
      return { problem: (error as Error).message };
    }
  });
}

await main();

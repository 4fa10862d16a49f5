import { randomInt } from 'node:crypto';
import { serveOrders } from '../../namespaces/serve-orders.ts';
import { createRandom } from '../model/create-random.ts';
import { LinkOrderSchema, LinkProcessOptionsSchema, type UserspaceStatistics } from './link-messages.ts';
import { Relay } from './relay.ts';

/**
 * The link between two interfaces, as a process of its own. Nothing is closed at its end: pcap's `close()` waits for a packet
 * that may never come, and the end of the process closes all.
 */
function main(): void {
  const {
    ground,
    remote,
    profile,
    seed = randomInt(2 ** 31),
  } = LinkProcessOptionsSchema.parse(JSON.parse(process.argv[2]!));
  const forward = new Relay({ source: ground, direction: profile.forward, random: createRandom(seed), seed });
  const back = new Relay({ source: remote, direction: profile.return, random: createRandom(seed + 1), seed });
  forward.leadTo(back.port);
  back.leadTo(forward.port);

  serveOrders(LinkOrderSchema, (order): UserspaceStatistics => {
    if (order.kind === 'apply') {
      forward.apply(order.profile.forward);
      back.apply(order.profile.return);
    }
    if (order.kind === 'begin-round') for (const relay of [forward, back]) relay.beginRound();
    const { user, system } = process.cpuUsage();
    return { forward: forward.statistics(), return: back.statistics(), cpuMs: (user + system) / 1000 };
  });
}

main();

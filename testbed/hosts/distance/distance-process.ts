import { randomInt } from 'node:crypto';
import { createRandom } from '../../link/model/create-random.ts';
import { serveOrders } from '../../namespaces/serve-orders.ts';
import {
  HostRelay,
  DistanceOptionsSchema,
  DistanceOrderSchema,
  type Distance,
  type DistanceStatistics,
} from './host-relay.ts';

/** What lies between `ground` and the hosts, as a process of its own in `satellite`. Nothing is closed at its end, as with that of a link. */
function main(): void {
  const { ground, hosts } = DistanceOptionsSchema.parse(JSON.parse(process.argv[2]!));
  const random = createRandom(randomInt(2 ** 31));
  const forward = new HostRelay({ source: hosts, host: 'source', random });
  const back = new HostRelay({ source: ground, host: 'destination', random });
  forward.leadTo(back.port);
  back.leadTo(forward.port);
  let applied: readonly Distance[] = [];

  serveOrders(DistanceOrderSchema, (order): DistanceStatistics => {
    if (order.kind === 'apply') {
      applied = order.distances;
      for (const relay of [forward, back]) relay.apply(applied);
    }
    return {
      hosts: applied.map((distance) => ({
        ...distance,
        forward: forward.countsOf(distance.address),
        return: back.countsOf(distance.address),
      })),
      missed: {
        forward: { missedPackets: forward.missedPackets },
        return: { missedPackets: back.missedPackets },
      },
    };
  });
}

main();

import { z } from 'zod';
import { runTool } from '../../namespaces/run-tool.ts';
import type { DirectionStatistics } from '../link-backend.ts';

/** What `tc -s -j qdisc show` prints of a queueing discipline, as far as it is read. */
const QdiscsSchema = z.array(
  z.object({
    kind: z.string(),
    bytes: z.number(),
    packets: z.number(),
    drops: z.number(),
    backlog: z.number(),
    qlen: z.number(),
  }),
);

/** The statistics of a direction, from the interface of its queue and that of its flight. */
export async function readDirection(
  namespace: string,
  { queue, flight }: { queue: string; flight: string },
): Promise<DirectionStatistics> {
  const waiting = await readQdisc(namespace, { interface: queue, kind: 'tbf' });
  const flying = await readQdisc(namespace, { interface: flight, kind: 'netem' });
  return {
    arrivedPackets: waiting.packets + waiting.drops + waiting.qlen,
    // The kernel counts dropped packets, but not their bytes.
    arrivedBytes: waiting.bytes + waiting.backlog,
    deliveredPackets: flying.packets,
    deliveredBytes: flying.bytes,
    droppedPackets: waiting.drops,
    lostPackets: flying.drops,
    queuedPackets: waiting.qlen,
    queuedBytes: waiting.backlog,
    capacity: null,
  };
}

async function readQdisc(namespace: string, { interface: name, kind }: { interface: string; kind: string }) {
  const output = await runTool('tc', '-n', namespace, '-s', '-j', 'qdisc', 'show', 'dev', name);
  const found = QdiscsSchema.parse(JSON.parse(output)).find((qdisc) => qdisc.kind === kind);
  if (!found) throw new Error(`${name} has lost its ${kind}: somebody has changed it`);
  return found;
}

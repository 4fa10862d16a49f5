import { assertNever } from '#core/assert-never.ts';
import type { LinkDirection } from '#core/evaluation/network/link-profile.ts';
import { CodelQueue } from './codel.ts';
import { DropTailQueue } from './drop-tail-queue.ts';
import { FqCodelQueue } from './fq-codel.ts';
import type { OnDrop, PacketQueue } from './packet-queue.ts';

/** The queue of a direction. `flowOf` numbers the flow of a packet. */
export function openQueue<Packet>(
  { queueBytes: limitBytes, queue }: Pick<LinkDirection, 'queueBytes' | 'queue'>,
  { flowOf, onDrop }: { flowOf: (packet: Packet) => number; onDrop: OnDrop<Packet> },
): PacketQueue<Packet> {
  if (queue === undefined) return new DropTailQueue(limitBytes);
  const { kind, targetMs, intervalMs } = queue;
  switch (kind) {
    case 'codel':
      return new CodelQueue({ limitBytes, targetMs, intervalMs, onDrop });
    case 'fq-codel':
      return new FqCodelQueue({ limitBytes, targetMs, intervalMs, flowOf, onDrop });
    default:
      return assertNever(kind);
  }
}

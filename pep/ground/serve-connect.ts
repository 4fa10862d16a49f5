import { connect } from 'node:net';
import type { ConnectHead } from '../exchange/heads.ts';
import { joinSocket } from '../exchange/join-socket.ts';
import type { ExchangeRecord } from '../exchange/record.ts';
import type { TunnelStream } from '../tunnel/tunnel-stream.ts';
import type { AddressPolicy } from './address-policy.ts';
import { checkLiteral, makeGuardedLookup } from './guarded-lookup.ts';

interface Asked {
  head: ConnectHead;
  records: AsyncIterator<ExchangeRecord>;
  mayReach: AddressPolicy;
}

/** Connects to a host, and passes bytes both ways. The browser has its answer already: a failure closes its connection. */
export async function serveConnect(stream: TunnelStream, { head, records, mayReach }: Asked): Promise<void> {
  const { host, port } = head;
  try {
    checkLiteral(host, mayReach);
  } catch {
    stream.destroy();
    return;
  }
  const socket = connect({
    host,
    port,
    allowHalfOpen: true,
    noDelay: true,
    lookup: makeGuardedLookup(mayReach),
  });
  await joinSocket(socket, { stream, records });
}

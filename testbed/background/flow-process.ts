import { serveOrders } from '../namespaces/serve-orders.ts';
import {
  BackgroundOrderSchema,
  FlowProcessOptionsSchema,
  type FlowCounts,
  flowPorts,
  type FlowKind,
} from './flow-messages.ts';
import { FlowClient, FlowServer } from './tcp-flows.ts';
import { SocketWatch } from './socket-watch.ts';

/** One end of the TCP flows of background load, as a process of its own: `node flow-process.ts OPTIONS`. */
const { end, groundAddress, loads } = FlowProcessOptionsSchema.parse(JSON.parse(process.argv[2]!));
const kinds = loads.flatMap(({ kind }): FlowKind[] => (kind === 'voice' ? [] : [kind]));
const sender = { 'bulk-download': 'ground', 'bulk-upload': 'remote', video: 'ground' } as const;
const client = new FlowClient(groundAddress);
const flows = end === 'ground' ? await FlowServer.open(groundAddress, loads) : client;
const watches = new Map(
  kinds
    .filter((kind) => sender[kind] === end)
    .map((kind) => [kind, new SocketWatch(end === 'ground' ? 'sport' : 'dport', flowPorts[kind])]),
);
let beganMs = 0;
let overMs = 0;

function describe(kind: FlowKind): FlowCounts {
  const counted = watches.get(kind)?.counts();
  return {
    kind,
    receivedBytes: flows.receivedBytes(kind),
    overMs,
    sentBytes: counted?.sentBytes ?? 0,
    retransmittedBytes: counted?.retransmittedBytes ?? 0,
    roundTrip: counted?.roundTrip ?? null,
    video: kind === 'video' && end === 'remote' ? client.video() : null,
  };
}

/** The process that started this one reports it. */
function fail(error: unknown): void {
  console.error(error);
  process.exit(1);
}

serveOrders(BackgroundOrderSchema, async ({ kind }) => {
  if (kind === 'begin') {
    beganMs = performance.now();
    for (const watch of watches.values()) watch.start(fail);
    if (end === 'remote') client.start(loads);
  }
  if (kind === 'stop') {
    overMs = performance.now() - beganMs;
    for (const watch of watches.values()) await watch.stop();
    flows.stop();
  }
  return kinds.map(describe);
});

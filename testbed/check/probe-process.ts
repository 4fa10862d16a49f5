import { serveOrders } from '../namespaces/serve-orders.ts';
import { openLinkProbe, ProbeOrderSchema } from './link-probe.ts';

/** One end of the link check, in the place at one end of it: `node probe-process.ts ADDRESS PORT`. */
const [, , address, port] = process.argv;
const probe = await openLinkProbe({ address: address!, port: Number(port) });
serveOrders(ProbeOrderSchema, (order) => probe.execute(order));

import { serveOrders } from '../namespaces/serve-orders.ts';
import { openLinkProbe } from './link-probe.ts';
import { ProbeOrderSchema } from './probe-messages.ts';

/** One end of the link check, in `ground` or `remote`: `node probe-process.ts ADDRESS`. */
const probe = await openLinkProbe(process.argv[2]!);
serveOrders(ProbeOrderSchema, (order) => probe.execute(order));

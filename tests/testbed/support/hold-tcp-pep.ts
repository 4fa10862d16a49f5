import { setInterval } from 'node:timers';
import { TcpPepSchema } from '#core/evaluation/network/tcp-pep.ts';
import { openTestbedNetwork } from '#testbed/namespaces/testbed-network.ts';
import { applyTcpPep } from '#testbed/tcp-pep/apply-tcp-pep.ts';

/** Holds a testbed whose terminal and gateway split connections, until it is killed. Prints that it does. */
const network = await openTestbedNetwork({ hasNodes: true });
await applyTcpPep(network, TcpPepSchema.parse({}));
console.log('split');
setInterval(() => undefined, 60_000);

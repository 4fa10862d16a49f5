import { NetworkSchema } from '#core/evaluation/network/network.ts';
import { resolveLinkProfile } from '#core/evaluation/network/link-profile-input.ts';
import { openEmulatedNetwork } from '#testbed/emulated-network.ts';

/** A testbed with a tunnel of the given kind, until it is killed. Prints its namespaces when it stands. */
const emulated = await openEmulatedNetwork({ profile: resolveLinkProfile({ preset: 'none' }) });
await emulated.apply({ network: NetworkSchema.parse({ link: 'cable', tunnel: { kind: process.argv[2] } }), users: [] });
console.log(JSON.stringify(emulated.network.namespaces));

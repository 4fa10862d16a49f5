import { listNamespaces, removeNamespace } from './network-namespaces.ts';
import { isAlive } from './owner.ts';

/**
 * Removes what testbeds have left whose owner was killed: their processes and namespaces, and with these all interfaces,
 * the management link's end in the machine's own namespace too. Testbeds whose owner lives, and all that is not a testbed's,
 * are left alone. Returns the names of the namespaces that were removed.
 */
export async function removeLeftovers(): Promise<string[]> {
  const leftovers = listNamespaces().filter(({ owner }) => !isAlive(owner));
  for (const { name } of leftovers) await removeNamespace(name);
  return leftovers.map(({ name }) => name);
}

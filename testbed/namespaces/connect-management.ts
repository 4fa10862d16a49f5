import { writeFileSync } from 'node:fs';
import { AppError } from '#core/app-error.ts';
import { managementAddresses, managementPrefixLength, slotCount } from './addresses.ts';
import type { Place } from './namespace-name.ts';
import { managementInterface } from './network-namespaces.ts';
import { runTool, ToolError } from './run-tool.ts';

/** The link by which a place is reached, and reaches the controller, without crossing the emulated one. */
export interface ManagementLink {
  /** Of the place. */
  address: string;
  /** Of the machine, as seen from the place. */
  hostAddress: string;
}

const ends = ['ground', 'remote'] as const;

/**
 * Connects `ground` and `remote` with the namespace that this process is in. An interface's name can be taken only once, so the
 * first free `haeSLOT-ground` gives this testbed its number, and with it addresses that no other testbed has.
 */
export async function connectManagement(namespaces: Record<Place, string>): Promise<Record<'ground' | 'remote', ManagementLink>> {
  const slot = await claimSlot(namespaces.ground);
  await addPair({ slot, place: 'remote', namespace: namespaces.remote });
  const links = {} as Record<'ground' | 'remote', ManagementLink>;
  for (const place of ends) {
    const { inside, outside } = managementAddresses(slot, place);
    const outer = nameOutside(slot, place);
    disableIpv6(outer);
    await runTool('ip', 'address', 'add', `${outside}/${managementPrefixLength}`, 'dev', outer);
    await runTool('ip', 'link', 'set', outer, 'up');
    await runTool('ip', '-n', namespaces[place], 'address', 'add', `${inside}/${managementPrefixLength}`, 'dev', managementInterface);
    await runTool('ip', '-n', namespaces[place], 'link', 'set', managementInterface, 'up');
    links[place] = { address: inside, hostAddress: outside };
  }
  return links;
}

async function claimSlot(namespace: string): Promise<number> {
  for (let slot = 0; slot < slotCount; slot++) {
    try {
      await addPair({ slot, place: 'ground', namespace });
      return slot;
    } catch (error) {
      if (!(error instanceof ToolError) || !error.stderr.includes('File exists')) throw error;
    }
  }
  throw new AppError('testbed-failed', `There are ${slotCount} testbeds on this machine, and no addresses for another one: end one of them`);
}

async function addPair({ slot, place, namespace }: { slot: number; place: 'ground' | 'remote'; namespace: string }): Promise<void> {
  await runTool('ip', 'link', 'add', nameOutside(slot, place), 'type', 'veth', 'peer', 'name', managementInterface, 'netns', namespace);
}

/** At most 15 characters, as the kernel allows. */
function nameOutside(slot: number, place: 'ground' | 'remote'): string {
  return `hae${slot}-${place}`;
}

function disableIpv6(name: string): void {
  try {
    writeFileSync(`/proc/sys/net/ipv6/conf/${name}/disable_ipv6`, '1');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error; // a kernel without IPv6
  }
}

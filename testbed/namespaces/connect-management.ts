import { writeFileSync } from 'node:fs';
import { AppError } from '#core/app-error.ts';
import { managementAddresses, managementPrefixLength, slotCount } from './addresses.ts';
import { managementInterface } from './network-namespaces.ts';
import { runTool, ToolError } from './run-tool.ts';

/** The link by which a place is reached, and reaches the controller, without crossing the emulated one. */
export interface ManagementLink {
  /** Of the place. */
  address: string;
  /** Of the machine, as seen from the place. */
  hostAddress: string;
}

/** A place that is to be reached. */
interface ManagedPlace {
  place: string;
  namespace: string;
}

/**
 * Connects these places with the namespace that this process is in, and returns their links in the same order. An interface's name can be taken only once, so the
 * first slot whose names are all free gives this testbed its number, and with it addresses that no other testbed has.
 */
export async function connectManagement(places: readonly ManagedPlace[]): Promise<ManagementLink[]> {
  const slot = await claimSlot(places);
  const links: ManagementLink[] = [];
  for (const [index, { place, namespace }] of places.entries()) {
    const { inside, outside } = managementAddresses(slot, index);
    const outer = nameOutside(slot, place);
    disableIpv6(outer);
    await runTool('ip', 'address', 'add', `${outside}/${managementPrefixLength}`, 'dev', outer);
    await runTool('ip', 'link', 'set', outer, 'up');
    await runTool(
      'ip',
      '-n',
      namespace,
      'address',
      'add',
      `${inside}/${managementPrefixLength}`,
      'dev',
      managementInterface,
    );
    await runTool('ip', '-n', namespace, 'link', 'set', managementInterface, 'up');
    links.push({ address: inside, hostAddress: outside });
  }
  return links;
}

async function claimSlot(places: readonly ManagedPlace[]): Promise<number> {
  for (let slot = 0; slot < slotCount; slot++) if (await takeSlot(slot, places)) return slot;
  throw new AppError(
    'testbed-failed',
    `This machine has ${slotCount} testbeds and no addresses for another: end one of them`,
  );
}

/** False where another testbed has it, or had it until now: the kernel removes the interfaces of one that has ended a little later, one after the other. */
async function takeSlot(slot: number, places: readonly ManagedPlace[]): Promise<boolean> {
  const taken: string[] = [];
  try {
    for (const place of places) {
      await addPair(slot, place);
      taken.push(nameOutside(slot, place.place));
    }
    return true;
  } catch (error) {
    for (const name of taken) await runTool('ip', 'link', 'delete', name);
    if (!(error instanceof ToolError) || !error.stderr.includes('File exists')) throw error;
    return false;
  }
}

async function addPair(slot: number, { place, namespace }: ManagedPlace): Promise<void> {
  await runTool(
    'ip',
    'link',
    'add',
    nameOutside(slot, place),
    'type',
    'veth',
    'peer',
    'name',
    managementInterface,
    'netns',
    namespace,
  );
}

/** At most 15 characters, as the kernel allows. */
function nameOutside(slot: number, place: string): string {
  return `hae${slot}-${place}`;
}

function disableIpv6(name: string): void {
  try {
    writeFileSync(`/proc/sys/net/ipv6/conf/${name}/disable_ipv6`, '1');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error; // a kernel without IPv6
  }
}

import { remoteAddress, userMacAddresses, userNetwork } from './addresses.ts';
import { bringUp, linkInterface } from './bring-up.ts';
import { runTool } from './run-tool.ts';
import { writeSettings } from './write-settings.ts';

/** Connects the namespace of one user with `remote`, which hands on what passes between it and the link. `ground` reaches all users by way of `remote`. */
export async function connectUser(
  { place, number, namespace, address }: { place: string; number: number; namespace: string; address: string },
  remote: string,
): Promise<void> {
  const macs = userMacAddresses(number);
  await writeSettings(remote, { 'net/ipv4/ip_forward': 1 });
  await runTool(
    'ip',
    'link',
    'add',
    linkInterface,
    'address',
    macs.user,
    'netns',
    namespace,
    'type',
    'veth',
    'peer',
    'name',
    place,
    'address',
    macs.remote,
    'netns',
    remote,
  );
  await bringUp({ namespace, name: linkInterface });
  await bringUp({ namespace: remote, name: place });
  await runTool('ip', '-n', namespace, 'address', 'add', address, 'peer', remoteAddress, 'dev', linkInterface);
  await runTool('ip', '-n', namespace, 'route', 'add', userNetwork, 'via', remoteAddress);
  await runTool('ip', '-n', remote, 'route', 'add', `${address}/32`, 'dev', place, 'src', remoteAddress);
}

import { joinUserNamespace } from '#testbed/namespaces/enter-user-namespace.ts';
import { untilAborted } from '../up/until-aborted.ts';
import { describeProfile } from './describe-profile.ts';
import { describeOrigin, listOrigin } from './open-testbed-origin.ts';
import { listAddresses } from './list-addresses.ts';
import type { OpenTestbed } from './open-testbed.ts';

/** Prints how to use the testbed, and keeps it until it is stopped or the link fails. Throws why the link failed. */
export async function holdTestbed(
  { network, backend, profile, origin }: OpenTestbed,
  { isJson, say, signal }: { isJson: boolean; say: (line: string) => void; signal: AbortSignal },
): Promise<void> {
  const { namespaces, ground, remote, users } = network;
  const enterBy = (words: readonly string[]) => [...joinUserNamespace(), ...words].join(' ');
  const enter = (place: 'ground' | 'remote') => enterBy(network.enter(place));
  if (isJson) {
    process.stdout.write(
      `${JSON.stringify({ profile, backend: backend.kind, namespaces, ground, remote, users, origin: describeOrigin(origin) })}\n`,
    );
  } else {
    process.stdout.write(`The link ${profile.name} is up (${backend.kind}):
${describeProfile(profile)}

  ground: ${listAddresses(ground)}   ${enter('ground')} COMMAND
  remote: ${listAddresses(remote)}   ${enter('remote')} COMMAND${users.map((user) => `\n  ${user.place}:  ${listAddresses(user)}   ${enterBy(user.enter)} COMMAND`).join('')}
Outside the link, ground reaches this machine at ${ground.management.hostAddress}, and this machine reaches ground at ${ground.management.address}.
Outside the link, remote reaches this machine at ${remote.management.hostAddress}, and this machine reaches remote at ${remote.management.address}.
${origin ? `${listOrigin(origin)}\n` : ''}`);
  }
  say('Ctrl-C removes it');
  const failures = [backend.failed, ...(origin ? [origin.failed] : [])];
  await untilAborted(AbortSignal.any([signal, ...failures]));
  for (const failed of failures) failed.throwIfAborted();
}

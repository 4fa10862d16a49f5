import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { resolveLinkProfile } from '#core/evaluation/link-profile-input.ts';
import { TcpSettingsSchema } from '#core/evaluation/tcp-settings.ts';
import { openLink } from '#testbed/link/open-link.ts';
import { openTestbedNetwork } from '#testbed/namespaces/testbed-network.ts';
import { applyTcpSettings } from '#testbed/tcp/apply-tcp-settings.ts';

/** Sets TCP on one side of a link and writes what became of each setting to a file: `node set-variants.ts FILE SETTINGS…`. Run by tcp-variants.test.ts in a kernel that has the variants. */
const [file, ...orders] = process.argv.slice(2);
const readAllowed = () => readFileSync('/proc/sys/net/ipv4/tcp_allowed_congestion_control', 'utf8');

await using network = await openTestbedNetwork();
await using link = await openLink({ network, profile: resolveLinkProfile({ preset: 'geo-1m' }) });
const place = {
  enter: network.enter('ground'),
  interface: network.ground.interface,
  peer: { enter: network.enter('remote'), address: network.remote.address },
};
const allowed = readAllowed();

const outcomes: unknown[] = [];
for (const order of orders) {
  try {
    await using applied = await applyTcpSettings({ ...place, settings: TcpSettingsSchema.parse(JSON.parse(order)) });
    outcomes.push(applied.connection);
  } catch (error) {
    outcomes.push((error as Error).message);
  }
}
await writeFile(file!, JSON.stringify({ backend: link.kind, outcomes, isAllowedAsBefore: readAllowed() === allowed }));

import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { resolveLinkProfile } from '#core/evaluation/network/link-profile-input.ts';
import { TcpSettingsSchema } from '#core/evaluation/network/tcp-settings.ts';
import { openLink } from '#testbed/link/open-link.ts';
import { openTestbedNetwork } from '#testbed/namespaces/testbed-network.ts';
import { applyTcpSettings } from '#testbed/tcp/apply-tcp-settings.ts';
import { ownVariants } from '#testbed/tcp/variants/own-variants.ts';
import { ProvidedVariants } from '#testbed/tcp/variants/provided-variants.ts';
import { traceVariants } from '../trace-variants.ts';

/**
 * Sets TCP on one side of a link, follows windows, and writes what became of each setting to a file: `node set-variants.ts FILE SETTINGS…`. Run by tcp-variants.test.ts in a
 * kernel that has the variants as modules.
 */
const [file, ...orders] = process.argv.slice(2);
const readAllowed = () => readFileSync('/proc/sys/net/ipv4/tcp_allowed_congestion_control', 'utf8');

await using provided = new ProvidedVariants();

/** What became of each order, and whether the machine then allows to everybody what it allowed before. */
async function setAll() {
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
    const settings = TcpSettingsSchema.parse(JSON.parse(order));
    try {
      await provided.provide(settings.congestionControl!);
      await using applied = await applyTcpSettings({ ...place, settings });
      outcomes.push(applied.connection);
    } catch (error) {
      outcomes.push((error as Error).message);
    }
  }
  return { backend: link.kind, outcomes, isAllowedAsBefore: readAllowed() === allowed };
}

const results = await setAll();
const traces = await traceVariants(ownVariants, provided);
await writeFile(file!, JSON.stringify({ ...results, traces }));

import { writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { LinkProfileInputSchema, resolveLinkProfile } from '#core/evaluation/link-profile-input.ts';
import { openLinkChecker, startProbe } from '#testbed/check/link-checker.ts';
import { drainMs } from '#testbed/check/plan-check.ts';
import { openLink } from '#testbed/link/open-link.ts';
import { openTestbedNetwork } from '#testbed/namespaces/testbed-network.ts';

/** Measures the link that the kernel makes, and writes what it saw to a file: `node measure-netem.ts FILE`. Run by netem.test.ts in a kernel with netem. */
const resolve = (input: unknown) => resolveLinkProfile(LinkProfileInputSchema.parse(input));
const clean = resolve('geo-1m');
const lossy = resolve({ preset: 'geo-1m', forward: { lossRatio: 0.1 }, return: { lossRatio: 0.02 } });
const shortQueue = resolve({ preset: 'geo-1m', forward: { queueBytes: 30_280 } });

await using network = await openTestbedNetwork();
await using link = await openLink({ network, profile: clean });
const checks = [];
{
  await using checker = await openLinkChecker(network);
  for (const profile of [clean, lossy]) {
    await link.apply(profile);
    checks.push(await checker.run(profile));
  }
}

await link.apply(shortQueue);
const before = await link.statistics();
const load = { kbps: 1e9, burstBytes: 90_840, totalBytes: 90_840 };
await using sender = await startProbe(network, 'ground');
await sender.ask({ kind: 'load', to: network.remote.address, ...load }, 20_000);
await pause(drainMs(shortQueue.forward, load));
const after = await link.statistics();

await writeFile(process.argv[2]!, JSON.stringify({ backend: link.kind, checks, before: before.forward, after: after.forward }));

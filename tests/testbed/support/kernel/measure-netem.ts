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
/** At 64 kb/s a packet takes 190 ms: all are put in while the first few are sent, however slow this kernel is. */
const shortQueue = resolve({ preset: 'geo-64k', forward: { queueBytes: 30_500 } });
const varying = resolve({ preset: 'geo-1m', forward: { rateTrace: { steps: [[0, 800], [500, 400]], repeatAfterMs: 1000 } } });

await using network = await openTestbedNetwork();
await using link = await openLink({ network, profile: clean });
const backend = link.kind;
const checks = [];
{
  await using checker = await openLinkChecker(network);
  for (const profile of [clean, lossy]) {
    await link.apply(profile);
    const { findings, measurement } = await checker.run(profile);
    checks.push({ findings, leastRoundTripMs: Math.min(...measurement.roundTripsMs) });
  }
}

await link.apply(shortQueue);
const before = await link.statistics();
const load = { kbps: 1e9, burstBytes: 90_840, totalBytes: 90_840 };
{
  await using sender = await startProbe(network, 'ground');
  await sender.ask({ kind: 'load', to: network.remote.address, ...load }, 20_000);
  await pause(drainMs(shortQueue.forward, load));
}
const after = await link.statistics();

/** What makes each of these links, and what a round trip over it takes. */
const switched = [];
for (const profile of [varying, clean]) {
  await link.apply(profile);
  await using checker = await openLinkChecker(network);
  const { measurement } = await checker.run(profile, { probeForMs: 300, loadForMs: 100 });
  switched.push({ backend: link.kind, roundTripMs: Math.min(...measurement.roundTripsMs) });
}

await writeFile(process.argv[2]!, JSON.stringify({ backend, checks, before: before.forward, after: after.forward, switched }));

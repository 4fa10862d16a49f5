import { writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { LinkProfile } from '#core/evaluation/network/link-profile.ts';
import { LinkProfileInputSchema, resolveLinkProfile } from '#core/evaluation/network/link-profile-input.ts';
import type { LinkFinding } from '#core/protocol/link-check.ts';
import { LinkChecker, startProbe } from '#testbed/check/link-checker.ts';
import { drainMs, loadFrameBytes } from '#testbed/check/plan-check.ts';
import { openLink } from '#testbed/link/open-link.ts';
import { openTestbedNetwork } from '#testbed/namespaces/testbed-network.ts';

/** Measures the link that the kernel makes, and writes what it saw to a file: `node measure-netem.ts FILE`. Run by netem.test.ts in a kernel with netem. */
const mostChecks = 3;
const resolve = (input: unknown) => resolveLinkProfile(LinkProfileInputSchema.parse(input));
const slow = resolve('geo-64k');
const fast = resolve('geo-1m');
/** Room for all that is sent at once: what is lost there, the loss has taken. */
const longQueue = { rateKbps: 8000, delayMs: 300, queueBytes: 6_000_000 };
const lossy = resolve({ forward: { ...longQueue, lossRatio: 0.1 }, return: { ...longQueue, lossRatio: 0.02 } });
const bursty = resolve({
  forward: { rateKbps: 1000, delayMs: 50, lossRatio: 0.1, lossBurstPackets: 5 },
  return: { rateKbps: 1000, delayMs: 50, lossRatio: 0.05, lossBurstPackets: 2 },
});
/** At 64 kb/s a packet takes 190 ms: all are put in while the first few are sent, however slow this kernel is. */
const shortQueue = resolve({ preset: 'geo-64k', forward: { queueBytes: 30_500 } });
const varying = resolve({
  preset: 'geo-64k',
  forward: {
    rateTrace: {
      steps: [
        [0, 64],
        [500, 48],
      ],
      repeatAfterMs: 1000,
    },
  },
});

await using network = await openTestbedNetwork();
await using link = await openLink({ network, profile: slow });
const backend = link.kind;
/** Started once: that takes a process ten seconds in this kernel. */
await using ground = await startProbe(network, 'ground');
await using remote = await startProbe(network, 'remote');
const checker = new LinkChecker(network, { ground, remote });

/** What each of several checks of a profile found: no more once all figures were as written in one of them. */
async function checkRepeatedly(profile: LinkProfile) {
  await link.apply(profile);
  const checks: { findings: LinkFinding[]; leastRoundTripMs: number }[] = [];
  do {
    const { findings, measurement } = await checker.run(profile);
    checks.push({ findings, leastRoundTripMs: Math.min(...measurement.roundTripsMs) });
  } while (checks.length < mostChecks && !checks.at(-1)!.findings.every(({ isWithin }) => isWithin));
  return checks;
}

/** What becomes of packets that `ground` or `remote` sends as fast as it can, by the link's own counts. */
async function send(packets: number, { from, profile }: { from: 'ground' | 'remote'; profile: LinkProfile }) {
  const [to, side] = from === 'ground' ? (['remote', 'forward'] as const) : (['ground', 'return'] as const);
  await link.apply(profile);
  const before = await link.statistics();
  const load = { kbps: 1e9, burstBytes: packets * loadFrameBytes, totalBytes: packets * loadFrameBytes };
  await (from === 'ground' ? ground : remote).ask({ kind: 'load', to: network[to].address, ...load }, 30_000);
  await pause(drainMs(profile[side], load));
  const after = await link.statistics();
  const countOf = (name: 'deliveredPackets' | 'droppedPackets' | 'lostPackets') =>
    after[side][name] - before[side][name];
  return {
    deliveredPackets: countOf('deliveredPackets'),
    droppedPackets: countOf('droppedPackets'),
    lostPackets: countOf('lostPackets'),
  };
}

const checks = { slow: await checkRepeatedly(slow), fast: await checkRepeatedly(fast) };
const queue = await send(60, { from: 'ground', profile: shortQueue });
const losses = {
  forward: await send(2500, { from: 'ground', profile: lossy }),
  return: await send(2500, { from: 'remote', profile: lossy }),
};

await link.apply(bursty);
const {
  measurement: { probesSent, probesLost },
} = await checker.run(bursty, { probeForMs: 5_000, loadForMs: 100 });

/** What makes each of these links, and what a round trip over it takes. */
const switched = [];
for (const profile of [varying, slow]) {
  await link.apply(profile);
  const { measurement } = await checker.run(profile, { probeForMs: 300, loadForMs: 100 });
  switched.push({ backend: link.kind, roundTripMs: Math.min(...measurement.roundTripsMs) });
}

await writeFile(
  process.argv[2]!,
  JSON.stringify({ backend, checks, queue, losses, bursts: { probesSent, probesLost }, switched }),
);

import { parseArgs } from 'node:util';
import { LinkProfileInputSchema, resolveLinkProfile } from '#core/evaluation/network/link-profile-input.ts';
import type { LinkProfile } from '#core/evaluation/network/link-profile.ts';
import { idealRoundTripMs } from '#testbed/check/judge-link.ts';
import { openLinkChecker, type LinkChecker } from '#testbed/check/link-checker.ts';
import { binomialBounds } from '#testbed/check/plan-check.ts';
import { openUserspaceLink, type UserspaceLink } from '#testbed/link/userspace/userspace-backend.ts';
import { openTestbedNetwork, type TestbedNetwork } from '#testbed/namespaces/testbed-network.ts';
import { hasKernel, runInKernel } from '#tests/testbed/support/kernel/run-in-kernel.ts';
import { findMaximumRate } from './support/find-maximum-rate.ts';
import { readQuantile } from './support/read-quantile.ts';
import { runTool } from '#testbed/namespaces/run-tool.ts';
import { satelliteInterfaces } from '#testbed/namespaces/connect-ends.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';

/**
 * What the userspace link does and what it costs: `node bench/link-emulator.ts [LOAD_SECONDS]`, as root, 20 s by default.
 * Accuracy at five rates and 600 ms, on an idle machine and under as many busy processes as there are CPUs; the delay that it
 * adds, and its maximum rate without loss, beside those of a kernel bridge in its place. Then the same traffic over netem and over the userspace
 * link in one kernel that has both, which runs as a process (User-Mode Linux) and is many times slower than this one: compare the two with each other only.
 * `node bench/link-emulator.ts --beside-netem [LOAD_SECONDS]` does that alone.
 */
const {
  positionals: [loadSeconds = '20'],
  values: options,
} = parseArgs({ allowPositionals: true, options: { 'beside-netem': { type: 'boolean' } } });
const loadForMs = Number(loadSeconds) * 1000;
const ratesKbps = [64, 256, 1000, 8000, 20_000];
const seed = 1;

const linkOf = (rateKbps: number | 'unlimited', change: Record<string, number> = {}): LinkProfile => {
  const direction = { rateKbps, delayMs: 300, ...change };
  return resolveLinkProfile(LinkProfileInputSchema.parse({ forward: direction, return: direction }));
};

if (!options['beside-netem']) {
  await using network = await openTestbedNetwork();
  await reportCost(network);
  await using link = await openUserspaceLink({ network, profile: linkOf(1000), seed });
  await using checker = await openLinkChecker(network);
  await reportAccuracy('idle machine', { link, checker });
  await using busy = new AsyncDisposableStack();
  busy.use(keepCpusBusy());
  await reportAccuracy('all CPUs busy', { link, checker });
}
await reportBesideNetem();

async function reportBesideNetem(): Promise<void> {
  if (!hasKernel) {
    console.log('\nnetem is not measured: linux.uml, modprobe or cc is missing (Debian: user-mode-linux, kmod, gcc)');
    return;
  }
  const modules = 'for module in sch_netem sch_tbf veth bridge af_packet; do modprobe $module; done';
  const files = await runInKernel(
    `${modules}\nnode bench/support/measure-backend.ts /out/rows.json ${loadForMs / 1000}`,
    ['rows.json'],
    { timeoutMs: 900_000 },
  );
  console.log(
    `\nnetem and the userspace link in one kernel, 1 Mb/s and 600 ms, ${loadForMs / 1000} s of load both ways`,
  );
  console.table(JSON.parse(files['rows.json']!));
}

async function reportAccuracy(
  title: string,
  { link, checker }: { link: UserspaceLink; checker: LinkChecker },
): Promise<void> {
  const rows = [];
  for (const kbps of ratesKbps) {
    const profile = linkOf(kbps, { lossRatio: 0.01 });
    const clean = linkOf(kbps);
    await link.apply(clean);
    const before = await link.statistics();
    const { measurement, tookMs } = await checker.run(clean, { probeForMs: 5_000, loadForMs });
    const after = await link.statistics();
    await link.apply(profile);
    const { measurement: lossy } = await checker.run(profile, {
      probeForMs: Math.max(5_000, 2_100 * 2.5 * (480 / kbps)),
      loadForMs: 100,
    });
    const bounds = binomialBounds({ trials: lossy.probesSent.return, ratio: 0.01, confidence: 0.95 });
    const idealMs = idealRoundTripMs(clean)!;
    rows.push({
      'rate kb/s': kbps,
      'RTT p50 − ideal, ms': (readQuantile(measurement.roundTripsMs, 0.5) - idealMs).toFixed(2),
      'p99 − ideal, ms': (readQuantile(measurement.roundTripsMs, 0.99) - idealMs).toFixed(2),
      'rate error, %': formatErrors(measurement.rate, kbps),
      'lost of sent (95 % bounds)': `${lossy.probesLost.return.lost} of ${lossy.probesSent.return} (${bounds.low} to ${bounds.high})`,
      'CPU, %': ((100 * (after.cpuMs - before.cpuMs)) / tookMs).toFixed(1),
    });
  }
  console.log(`\nUserspace link at 600 ms, ${title}, ${loadForMs / 1000} s of load both ways`);
  console.table(rows);
}

function formatErrors(rate: Record<'forward' | 'return', { kbps: number } | null>, kbps: number): string {
  return [rate.forward, rate.return]
    .map((each) => (each ? (100 * (each.kbps / kbps - 1)).toFixed(3) : 'none'))
    .join(' / ');
}

/** A link that neither delays nor limits, beside the kernel's own bridge in the same namespaces. */
async function reportCost(testbed: TestbedNetwork): Promise<void> {
  const none = linkOf('unlimited', { delayMs: 0 });
  const candidateRatesKbps = [100, 200, 300, 400, 600, 800, 1000, 1250, 1500, 1750, 2000, 2500, 3000, 4000].map(
    (megabits) => megabits * 1000,
  );
  const measure = async () => {
    await using checker = await openLinkChecker(testbed);
    const { measurement } = await checker.run(none, { probeForMs: 5_000, loadForMs: 1 });
    return measurement.roundTripsMs;
  };
  const figures = async (name: string) => {
    const roundTripsMs = await measure();
    const quantiles = Object.fromEntries(
      [0.5, 0.9, 0.99, 1].map((fraction) => [
        `RTT p${fraction * 100}, ms`,
        readQuantile(roundTripsMs, fraction).toFixed(3),
      ]),
    );
    return {
      link: name,
      ...quantiles,
      'most without loss, Mb/s': ((await findMaximumRate(testbed, candidateRatesKbps)) ?? 0) / 1000,
    };
  };
  const rows = [];
  for (const [name, open] of [
    ['kernel bridge', () => openBareLink(testbed)],
    ['userspace', () => openUserspaceLink({ network: testbed, profile: none })],
  ] as const) {
    await using resources = new AsyncDisposableStack();
    resources.use(await open());
    rows.push(await figures(name));
  }
  console.log('\nWhat the link adds of its own: no rate, no delay');
  console.table(rows);
}

/** No link at all: the kernel passes frames between the two ends by a bridge. What it does is the most that a link in between could do here. */
async function openBareLink({ namespaces }: TestbedNetwork): Promise<AsyncDisposable> {
  const bridge = 'bare';
  await runTool('ip', '-n', namespaces.satellite, 'link', 'add', bridge, 'type', 'bridge', 'mcast_snooping', '0');
  for (const port of Object.values(satelliteInterfaces))
    await runTool('ip', '-n', namespaces.satellite, 'link', 'set', port, 'master', bridge);
  await runTool('ip', '-n', namespaces.satellite, 'link', 'set', bridge, 'up');
  return {
    [Symbol.asyncDispose]: async () => {
      await runTool('ip', '-n', namespaces.satellite, 'link', 'delete', bridge);
    },
  };
}

/** As many processes as there are CPUs, which never rest, until disposed of. */
function keepCpusBusy(): AsyncDisposable {
  // Each ends with the process that started it, however that ends.
  const restless =
    'const parent = process.ppid; while (process.ppid === parent) for (let i = 0; i < 1e8; i++) Math.sqrt(i)';
  const children = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['-e', restless], { stdio: 'ignore' }),
  );
  return {
    async [Symbol.asyncDispose]() {
      for (const child of children) {
        const exited = once(child, 'exit');
        child.kill('SIGKILL');
        await exited;
      }
    },
  };
}

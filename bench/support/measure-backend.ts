import { cpus } from 'node:os';
import { writeFile } from 'node:fs/promises';
import { resolveLinkProfile } from '#core/evaluation/network/link-profile-input.ts';
import { openLinkChecker } from '#testbed/check/link-checker.ts';
import { idealRoundTripMs } from '#testbed/check/judge-link.ts';
import type { LinkBackendKind } from '#testbed/link/link-backend.ts';
import { openLink } from '#testbed/link/open-link.ts';
import { openTestbedNetwork } from '#testbed/namespaces/testbed-network.ts';
import { findMaximumRate } from './find-maximum-rate.ts';
import { readQuantile } from './read-quantile.ts';

/**
 * What each backend does with the same traffic in this kernel, and writes it to a file: `node measure-backend.ts FILE LOAD_SECONDS`. `bench/link-emulator.ts` runs it in a
 * kernel that has netem. The share of the CPU is that of the whole kernel, sender and receiver included, as netem's part has no process of its own.
 */
const [file, loadSeconds] = process.argv.slice(2);
const loadForMs = Number(loadSeconds) * 1000;
const way = { rateKbps: 1000, delayMs: 300 };
const satellite = resolveLinkProfile({ forward: way, return: way });
const none = resolveLinkProfile({ preset: 'none' });
const ratesKbps = [2, 5, 10, 20, 30, 40, 60, 80, 100, 150, 200].map((megabits) => megabits * 1000);

const rows: Record<string, string>[] = [];
for (const backend of ['netem', 'userspace'] satisfies LinkBackendKind[]) {
  await using network = await openTestbedNetwork();
  await using link = await openLink({ network, profile: satellite, backend, seed: 1 });
  await using resources = new AsyncDisposableStack();
  const checker = await openLinkChecker(network);
  resources.use(checker);
  const before = readBusyTime();
  const { measurement } = await checker.run(satellite, { probeForMs: loadForMs, loadForMs });
  const after = readBusyTime();
  await link.apply(none);
  const { measurement: bare } = await checker.run(none, { probeForMs: 3_000, loadForMs: 1 });
  await resources.disposeAsync();

  const idealMs = idealRoundTripMs(satellite)!;
  const added = (roundTripsMs: number[], fraction: number, ideal: number) =>
    (readQuantile(roundTripsMs, fraction) - ideal).toFixed(2);
  const { forward, return: back } = measurement.rate;
  rows.push({
    backend,
    'RTT p50 / p90 / p99 − ideal, ms': [0.5, 0.9, 0.99]
      .map((fraction) => added(measurement.roundTripsMs, fraction, idealMs))
      .join(' / '),
    'rate error, %': [forward, back]
      .map((rate) => (rate ? (100 * (rate.kbps / 1000 - 1)).toFixed(2) : 'none'))
      .join(' / '),
    'CPU, %': ((100 * (after.busyMs - before.busyMs)) / (after.totalMs - before.totalMs)).toFixed(1),
    'no rate, no delay: RTT p50 / p90 / p99, ms': [0.5, 0.9, 0.99]
      .map((fraction) => added(bare.roundTripsMs, fraction, 0))
      .join(' / '),
    'most without loss, Mb/s': String(((await findMaximumRate(network, ratesKbps)) ?? 0) / 1000),
  });
}
await writeFile(file!, JSON.stringify(rows));

/** Time of all CPUs since the kernel began: with something to do, and in all. */
function readBusyTime(): { busyMs: number; totalMs: number } {
  const all = cpus().map(({ times }) => times);
  const idleMs = all.reduce((sum, { idle }) => sum + idle, 0);
  const busyMs = all.reduce((sum, { user, nice, sys, irq }) => sum + user + nice + sys + irq, 0);
  return { busyMs, totalMs: busyMs + idleMs };
}

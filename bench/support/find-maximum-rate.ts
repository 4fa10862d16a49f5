import { setTimeout as pause } from 'node:timers/promises';
import { startProbe } from '#testbed/check/link-checker.ts';
import { loadFrameBytes } from '#testbed/check/plan-check.ts';
import type { TestbedNetwork } from '#testbed/namespaces/testbed-network.ts';

const loadForMs = 2_000;
const settleMs = 500;

/** The highest of these rates at which full packets from `ground` all came to `remote` within 2 s of load, three times; null when none is. */
export async function findMaximumRate(network: TestbedNetwork, ratesKbps: number[]): Promise<number | null> {
  await using sender = await startProbe(network, 'ground');
  await using receiver = await startProbe(network, 'remote');
  let best: number | null = null;
  for (const kbps of ratesKbps) {
    for (let attempt = 0; attempt < 3; attempt++) {
      await receiver.ask({ kind: 'forget' }, 10_000);
      const totalBytes = (kbps * loadForMs) / 8;
      const startMs = performance.now();
      await sender.ask({ kind: 'load', to: network.remote.address, kbps, burstBytes: 0, totalBytes }, 60_000);
      const tookMs = performance.now() - startMs;
      await pause(settleMs);
      const { load } = await receiver.ask({ kind: 'report' }, 10_000);
      const isAllThere = load?.packets === Math.ceil(totalBytes / loadFrameBytes);
      // A sender that did not keep the pace has not tried this rate.
      if (!isAllThere || tookMs > loadForMs * 1.1) return best;
    }
    best = kbps;
  }
  return best;
}

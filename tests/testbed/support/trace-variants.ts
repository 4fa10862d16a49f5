import path from 'node:path';
import { z } from 'zod';
import { resolveLinkProfile } from '#core/evaluation/network/link-profile-input.ts';
import { openLink } from '#testbed/link/open-link.ts';
import { linkInterface } from '#testbed/namespaces/connect-nodes.ts';
import { findRealTimePrefix } from '#testbed/namespaces/place-process.ts';
import { runIn } from '#testbed/namespaces/run-tool.ts';
import { openTestbedNetwork, type TestbedNetwork } from '#testbed/namespaces/testbed-network.ts';
import { writeSetting } from '#testbed/tcp/kernel-setting.ts';
import { setCongestionControl } from '#testbed/tcp/set-congestion-control.ts';
import type { ProvidedVariants } from '#testbed/tcp/variants/provided-variants.ts';
import { PlaceProgram } from './place-program.ts';

/** What the kernel reports of a sender, at one instant. The threshold is null while it was never set. */
export const WindowSampleSchema = z.object({
  ackedSegments: z.number(),
  windowSegments: z.number(),
  thresholdSegments: z.number().nullable(),
  retransmissions: z.number(),
});
export type WindowSample = z.infer<typeof WindowSampleSchema>;

/** Of each variant. */
export type VariantTraces = Record<string, WindowSample[]>;

/**
 * Each segment is acknowledged, and each acknowledgement takes 7 ms on the link, so that all kernels see the same ones: kernels differ in
 * when they acknowledge. Windows over 15 segments make a queue there. Data must not wait: the kernel keeps a sender from a queue that it
 * sees, such as netem's.
 */
const profile = resolveLinkProfile({
  forward: { rateKbps: 'unlimited', delayMs: 50 },
  return: { rateKbps: 80, delayMs: 50, queueBytes: 4_000_000 },
});
/** Slow start ends here: a threshold that the route gives makes it end at the same segment in every kernel. */
const thresholdSegments = 20;
const transferBytes = 700_000;
/** Of the packets of a transfer, which are some 490. */
const lostPacket = 250;
const [firstPort, variantPort] = [5000, 6000];

/** Sends by each variant from `ground` to `remote`, in the kernel that this runs on, and follows the congestion window. */
export async function traceVariants(variants: readonly string[], provided: ProvidedVariants): Promise<VariantTraces> {
  await using parts = new AsyncDisposableStack();
  const network = parts.use(await openTestbedNetwork());
  parts.use(await openLink({ network, profile }));
  const ground = network.enter('ground');
  const remote = network.enter('remote');
  // Buffers that are never in the way.
  await writeSetting(ground, { name: 'net/ipv4/tcp_wmem', value: '4096 4000000 4000000' });
  await writeSetting(remote, { name: 'net/ipv4/tcp_rmem', value: '4096 6000000 6000000' });
  const ports = variants.map((_, index) => variantPort + index);
  const all = [firstPort, ...ports].map(String);
  // Ahead of ordinary processes: a late receiver would acknowledge several segments at once.
  const first = [...remote, ...(await findRealTimePrefix())];
  const listener = parts.use(new PlaceProgram(first, 'accept-all.ts', network.remote.address, ...all));
  await listener.readLine();
  await changeRoute(remote, ['quickack', '1']);
  await setThreshold(network);

  const traces: VariantTraces = {};
  for (const [index, variant] of variants.entries()) {
    const port = ports[index]!;
    await provided.provide(variant);
    parts.use(await setCongestionControl(ground, variant));
    await loseOnePacketTo(remote, port);
    traces[variant] = await follow(network, { port, bytes: transferBytes });
  }
  return traces;
}

async function loseOnePacketTo(remote: readonly string[], port: number): Promise<void> {
  const once = `--mode nth --every 1000000 --packet ${lostPacket}`.split(' ');
  const flow = ['-p', 'tcp', '--dport', `${port}`, '-m', 'statistic', ...once];
  // The kernel of run-in-kernel.ts has no nftables for IPv4.
  await runIn(remote, 'iptables-legacy', '-A', 'INPUT', ...flow, '-j', 'DROP');
}

/** The kernel takes a route's threshold from what it remembers of a destination, which begins with the first connection that it is to remember. */
async function setThreshold(network: TestbedNetwork): Promise<void> {
  const ground = network.enter('ground');
  await changeRoute(ground, ['ssthresh', 'lock', `${thresholdSegments}`]);
  await writeSetting(ground, { name: 'net/ipv4/tcp_no_ssthresh_metrics_save', value: '0' });
  await writeSetting(ground, { name: 'net/ipv4/tcp_no_metrics_save', value: '0' });
  await follow(network, { port: firstPort, bytes: 1000 });
  // Some round trips after the connection was closed.
  await runIn(ground, 'timeout', '60', 'sh', '-c', 'until ip tcp_metrics show | grep ssthresh; do sleep 0.05; done');
  await writeSetting(ground, { name: 'net/ipv4/tcp_no_metrics_save', value: '1' });
}

async function changeRoute(enter: readonly string[], metrics: readonly string[]): Promise<void> {
  const route = await runIn(enter, 'ip', 'route', 'show', 'dev', linkInterface, 'proto', 'kernel');
  await runIn(enter, 'ip', 'route', 'change', ...route.trim().split(/\s+/), 'dev', linkInterface, ...metrics);
}

async function follow(
  network: TestbedNetwork,
  { port, bytes }: { port: number; bytes: number },
): Promise<WindowSample[]> {
  const script = path.join(import.meta.dirname, 'trace-window.sh');
  const words = ['bash', script, network.remote.address, `${port}`, `${bytes}`] as const;
  const output = await runIn([...network.enter('ground'), ...(await findRealTimePrefix())], ...words);
  return output.split('\n').flatMap((line) => readSample(line) ?? []);
}

/** Null of a line without a connection. */
function readSample(line: string): WindowSample | null {
  const read = (pattern: RegExp) => {
    const digits = pattern.exec(line)?.[1];
    return digits === undefined ? null : Number(digits);
  };
  const windowSegments = read(/\bcwnd:(\d+)/);
  const segmentBytes = read(/\bmss:(\d+)/);
  if (windowSegments === null || segmentBytes === null) return null;
  return {
    ackedSegments: (read(/\bbytes_acked:(\d+)/) ?? 0) / segmentBytes,
    windowSegments,
    thresholdSegments: read(/\bssthresh:(\d+)/),
    retransmissions: read(/\bretrans:\d+\/(\d+)/) ?? 0,
  };
}

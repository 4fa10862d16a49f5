import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { resolveLinkProfile } from '#core/evaluation/network/link-profile-input.ts';
import type { TcpSettings } from '#core/evaluation/network/tcp-settings.ts';
import { openLink } from '#testbed/link/open-link.ts';
import { userNamespacePrefix } from '#testbed/namespaces/enter-user-namespace.ts';
import { openTestbedNetwork } from '#testbed/namespaces/testbed-network.ts';
import { observeConnection } from '#testbed/tcp/observe-connection.ts';
import { listVariants, setCongestionControl } from '#testbed/tcp/set-congestion-control.ts';
import { ownVariants } from '#testbed/tcp/variants/own-variants.ts';
import { ProvidedVariants, findVariantObstacle } from '#testbed/tcp/variants/provided-variants.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';
import { hasKernel, runInKernel } from './support/kernel/run-in-kernel.ts';
import { traceVariants, WindowSampleSchema, type WindowSample } from './support/trace-variants.ts';

const windowSegments = 4;
const settings: TcpSettings[] = [
  ...ownVariants.map((congestionControl) => ({ congestionControl })),
  { congestionControl: 'cubic', initialWindowSegments: windowSegments },
  { congestionControl: 'hybla', initialWindowSegments: windowSegments },
  { congestionControl: 'hyblox' },
];

const script = `
for module in sch_netem sch_tbf veth bridge af_packet tcp_diag iptable_filter xt_tcpudp xt_statistic; do modprobe $module; done
node tests/testbed/support/kernel/set-variants.ts /out/outcomes.json ${settings.map((each) => `'${JSON.stringify(each)}'`).join(' ')}`;

const ResultsSchema = z.looseObject({ traces: z.record(z.string(), z.array(WindowSampleSchema)) });

/** A kernel with modules of its own is held to the other one with these. */
const available = await listVariants([]);
const lacksAll = !ownVariants.some((variant) => available.includes(variant));
const hasBpf = findVariantObstacle() === null;

test.skipIf(!hasKernel || !hasBpf)(
  'each TCP variant is what connections over a satellite link use, and its window grows as that of the kernel’s own module',
  async () => {
    await using provided = new ProvidedVariants();
    const [files, ours] = await Promise.all([
      runInKernel(script, ['outcomes.json']),
      traceVariants(ownVariants, provided),
    ]);
    const { traces, ...results } = ResultsSchema.parse(JSON.parse(files['outcomes.json']!));
    expect(results).toEqual({
      backend: 'netem',
      outcomes: [
        expect.objectContaining({ congestionControl: 'bic' }),
        // One segment per 25 ms of the round trip.
        expect.objectContaining({ congestionControl: 'hybla', windowSegments: 24, pathMtuBytes: 1500 }),
        expect.objectContaining({ congestionControl: 'vegas' }),
        expect.objectContaining({ congestionControl: 'westwood' }),
        expect.objectContaining({ congestionControl: 'cubic', windowSegments }),
        'A new connection does not have the TCP settings: initialWindowSegments is 24, not 4 (some variants, such as hybla, set their own window: remove initialWindowSegments)',
        expect.stringMatching(/no TCP variant "hyblox", only .*hybla.*load it with "sudo modprobe tcp_hyblox"/),
      ],
      isAllowedAsBefore: true,
    });

    for (const variant of ownVariants) {
      const [own, module] = [splitAtLoss(ours[variant]!), splitAtLoss(traces[variant]!)];
      for (const part of ['before', 'after'] as const) {
        if (hasLateEstimate(variant, part)) {
          for (const [kind, samples] of Object.entries({ BPF: own[part], 'a module': module[part] }))
            for (const sample of samples)
              expectWindow(
                `${variant} as ${kind}, ${part} the loss`,
                sample,
                likeReno(samples[0]!, sample.ackedSegments),
              );
          continue;
        }
        for (const sample of own[part])
          expectWindow(`${variant}, ${part} the loss`, sample, windowsAround(module[part], sample.ackedSegments));
      }
      const [found, expected] = [own, module].map(({ thresholdSegments }) => thresholdSegments) as [number, number];
      expect(Math.abs(found - expected), `${variant}: threshold ${found} as BPF, ${expected} as a module`).toBeLessThan(
        Math.max(2, 0.05 * expected, growthBetween(module.before.slice(-8))),
      );
    }
    // And none grows as another.
    const ends = ownVariants.map((variant) => ours[variant]!.at(-1)!.windowSegments);
    expect(new Set(ends).size).toBe(ownVariants.length);
  },
);

/** In segments. */
interface Windows {
  least: number;
  most: number;
  /** By two acknowledgements. Where the machine was held up, some enlarge nothing: the window is not full. */
  growth: number;
}

/** The samples until the loss, those since it was repaired, and the threshold that was set between. */
function splitAtLoss(samples: readonly WindowSample[]) {
  const before = samples.filter((each) => each.retransmissions === 0);
  const lostAt = before.at(-1)!.ackedSegments;
  const after = samples.filter((each) => each.retransmissions > 0 && each.ackedSegments > lostAt + 30);
  const { thresholdSegments } = samples[before.length]!;
  expect(before.length).toBeGreaterThan(4);
  expect(after.length).toBeGreaterThan(2);
  return { before, after, thresholdSegments: thresholdSegments! };
}

function expectWindow(what: string, { ackedSegments, windowSegments }: WindowSample, expected: Windows | null): void {
  if (expected === null) return;
  const { least, most, growth } = expected;
  const words = `${what}, when ${ackedSegments} segments are acknowledged: ${windowSegments}, expected ${least} to ${most}`;
  expect(windowSegments, words).toBeGreaterThanOrEqual(least - Math.max(3, 0.1 * least, growth));
  expect(windowSegments, words).toBeLessThanOrEqual(most + Math.max(3, 0.1 * most, growth));
}

/**
 * Whether the window starts from an estimate of the moment when the loss is repaired. Westwood estimates the rate of a whole round trip:
 * a few milliseconds decide which, and the same module starts at 8 to 13 segments.
 */
function hasLateEstimate(variant: string, part: 'before' | 'after'): boolean {
  return variant === 'westwood' && part === 'after';
}

/** A segment more for each window that is acknowledged. */
function likeReno(first: WindowSample, ackedSegments: number): Windows {
  const windowSegments = Math.sqrt(first.windowSegments ** 2 + 2 * (ackedSegments - first.ackedSegments));
  return { least: windowSegments, most: windowSegments, growth: 2 / windowSegments };
}

/** Of the samples just before and after; null before the first and after the last. The first acknowledgements enlarge Hybla's window by 15 segments each. */
function windowsAround(samples: readonly WindowSample[], ackedSegments: number): Windows | null {
  const former = samples.findLastIndex((sample) => sample.ackedSegments <= ackedSegments);
  const next = samples.findIndex((sample) => sample.ackedSegments >= ackedSegments);
  if (former === -1 || next === -1) return null;
  const windows = [former, next].map((index) => samples[index]!.windowSegments);
  const around = samples.slice(Math.max(0, former - 1), next + 2);
  return { least: Math.min(...windows), most: Math.max(...windows), growth: 2 * growthBetween(around) };
}

/** By one acknowledgement, in segments. Each segment is acknowledged. */
function growthBetween(samples: readonly WindowSample[]): number {
  const [first, last] = [samples[0]!, samples.at(-1)!];
  return (last.windowSegments - first.windowSegments) / Math.max(1, last.ackedSegments - first.ackedSegments);
}

describe.skipIf(!hasBpf || !lacksAll)('a TCP variant that this kernel lacks', () => {
  const isThere = async () => (await listVariants([])).includes('westwood');

  test('is there for as long as its testbed, and stays with others that use it', async () => {
    expect(await isThere()).toBe(false);
    const first = new ProvidedVariants();
    await first.provide('westwood');
    await using parts = new AsyncDisposableStack();
    const network = parts.use(await openTestbedNetwork());
    parts.use(await openLink({ network, profile: resolveLinkProfile({ preset: 'none' }) }));
    const second = parts.use(new ProvidedVariants());
    await second.provide('westwood');
    parts.use(await setCongestionControl(network.enter('ground'), 'westwood'));
    await first[Symbol.asyncDispose]();
    expect(await isThere()).toBe(false);
    const peer = { enter: network.enter('remote'), address: network.remote.address };
    expect(await observeConnection(network.enter('ground'), peer)).toMatchObject({ congestionControl: 'westwood' });
    await second.provide('westwood');
    expect(await isThere()).toBe(true);
  });

  test('is gone with its owner, however that ends, and leaves no file', async () => {
    await using folder = await makeTemporaryFolder();
    const owner = spawn(process.execPath, [path.join(import.meta.dirname, 'support/provide-variant.ts'), 'westwood'], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, TMPDIR: folder.path },
    });
    const closed = once(owner, 'close');
    await once(createInterface(owner.stdout), 'line');
    expect(await isThere()).toBe(true);
    owner.kill('SIGKILL');
    await closed;
    await expect.poll(isThere, { timeout: 10_000 }).toBe(false);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  test('is refused without root, and without a compiler, with what to do', async () => {
    const program = path.join(import.meta.dirname, 'support/provide-variant.ts');
    const [command, ...words] = [...userNamespacePrefix, process.execPath, program, 'westwood'];
    const child = spawn(command, words, { stdio: ['ignore', 'ignore', 'pipe'] });
    expect(await text(child.stderr)).toContain(
      'This kernel has no TCP variant "westwood". HTTP-AE can load it as BPF, but that needs root: run the testbed with sudo',
    );
    expect(findVariantObstacle('/nowhere')).toBe('clang is not installed (Debian, Ubuntu: sudo apt-get install clang)');
  });
});

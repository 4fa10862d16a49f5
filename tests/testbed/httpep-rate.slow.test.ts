import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  LinkProfileInputSchema,
  resolveLinkProfile,
  type LinkProfileInput,
} from '#core/evaluation/network/link-profile-input.ts';
import { openEmulatedNetwork } from '#testbed/emulated-network.ts';
import { runTool } from '#testbed/namespaces/run-tool.ts';
import { judgeTime } from '../support/judge-time.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { PlaceProgram } from './support/place-program.ts';

interface Estimate {
  /** Since the link was opened, which takes a second itself. */
  ms: number;
  kbps: number;
}

/** What `pep ground --rate auto` writes into its counters while a user loads for some seconds over such a link. */
async function estimate(
  forward: Exclude<LinkProfileInput['forward'], undefined>,
  seconds: number,
): Promise<Estimate[]> {
  await using folder = await makeTemporaryFolder();
  const profile = resolveLinkProfile(
    LinkProfileInputSchema.parse({ forward, return: { rateKbps: 1000, delayMs: 300 } }),
  );
  await using emulated = await openEmulatedNetwork({ profile });
  const openedAt = Date.now();
  const { network } = emulated;
  // Some variants, such as BBR, stop sending now and then to look for a shorter delay.
  for (const end of ['ground', 'remote'] as const)
    await runTool(...network.enter(end), 'sysctl', '-qw', 'net.ipv4.tcp_congestion_control=reno');
  const [key, counters] = ['key', 'counters'].map((name) => path.join(folder.path, name));
  await writeFile(key!, 'a key that both of the processes read\n', { mode: 0o600 });
  const { address } = network.ground;
  const startEnd = (end: 'ground' | 'remote', ...options: string[]) =>
    new PlaceProgram(network.enter(end), '../../../cli/main.ts', 'pep', end, '--key', key!, '--json', ...options);
  await using server = new PlaceProgram(network.enter('ground'), 'serve-user-pages.ts', address);
  const port = await server.readLine();
  const options = ['--listen', `${address}:9000`, '--rate', 'auto', '--allow-private', '--counters', counters!];
  await using ground = startEnd('ground', ...options);
  await ground.readLine();
  await using remote = startEnd('remote', '--listen', '127.0.0.1:3128', '--ground', `${address}:9000`);
  await remote.readLine();
  const urls = `http://${address}:${port}/image/[0-7]?[1-999]`;
  const load = `timeout ${seconds} curl -sfZ -x http://127.0.0.1:3128 '${urls}' > /dev/null || [ $? = 124 ]`;
  await runTool(...network.enter('remote'), 'sh', '-c', load);
  const lines = (await readFile(counters!, 'utf8')).trim().split('\n');
  return lines.flatMap((line) => {
    const { kind, at, linkKbps } = JSON.parse(line) as { kind: string; at: string; linkKbps: number };
    return kind === 'tunnel' ? [{ ms: Date.parse(at) - openedAt, kbps: linkKbps }] : [];
  });
}

/** Errors of the estimate each second, against the nearest rate of the second before and after. A line holds until the next one. */
function errorsOf(
  estimates: Estimate[],
  rateAt: (ms: number) => number,
  { from, to }: { from: number; to: number },
): number[] {
  const times = Array.from({ length: to - from }, (_, index) => (from + index) * 1000);
  return times
    .map((ms) => {
      const { kbps } = estimates.findLast((estimate) => estimate.ms <= ms)!;
      return Math.min(...[-1000, -500, 0, 500, 1000].map((shift) => Math.abs(kbps / rateAt(ms + shift) - 1)));
    })
    .toSorted((a, b) => a - b);
}

/** Each has a link of its own, and mostly waits. */
describe.concurrent('rate auto', () => {
  test(
    'a link that rises and falls by a third in half a minute is followed to 15 percent',
    { timeout: 900_000 },
    async (context) => {
      const rateAt = (ms: number) => Math.round(1500 + 500 * Math.sin((ms / 30_000) * 2 * Math.PI));
      const steps = Array.from({ length: 60 }, (_, index): [number, number] => [index * 500, rateAt(index * 500)]);
      await judgeTime(context, {
        measure: () => estimate({ rateTrace: { steps, repeatAfterMs: 30_000 }, delayMs: 300 }, 44),
        holds: (estimates) => {
          const errors = errorsOf(estimates, rateAt, { from: 12, to: 44 });
          expect(errors[Math.floor(0.9 * (errors.length - 1))]).toBeLessThan(0.15);
        },
      });
    },
  );

  test.for([
    { rateKbps: 256, from: 16 },
    { rateKbps: 2000, from: 12 },
  ])(
    'a fixed link of $rateKbps kb/s is found within $from s, to 5 percent nine tenths of the time',
    { timeout: 900_000 },
    async ({ rateKbps, from }, context) => {
      await judgeTime(context, {
        measure: () => estimate({ rateKbps, delayMs: 300 }, 34),
        holds: (estimates) => {
          const errors = errorsOf(estimates, () => rateKbps, { from, to: 34 });
          expect(errors[Math.floor(0.9 * (errors.length - 1))]).toBeLessThan(0.05);
          expect(errors.at(-1)).toBeLessThan(0.1);
        },
      });
    },
  );
});

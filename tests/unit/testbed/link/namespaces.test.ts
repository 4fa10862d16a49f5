import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { isAbandoned } from '#cli/testbed/find-joined-controller.ts';
import { LinkProfileInputSchema, resolveLinkProfile } from '#core/evaluation/network/link-profile-input.ts';
import { qdiscArguments } from '#testbed/link/netem-backend.ts';
import {
  formatNamespace,
  parseNamespace,
  isAlive,
  readOwnProcess,
  readProcessStat,
} from '#testbed/namespaces/namespace-name.ts';
import { findMissingTools, requireTools } from '#testbed/namespaces/require-tools.ts';
import { removeUnlessGone, runTool } from '#testbed/namespaces/run-tool.ts';

test('a namespace’s name shows whose it is', () => {
  const name = { owner: { pid: 4_194_303, startTicks: 123_456_789 }, serial: 2, place: 'satellite' } as const;
  expect(parseNamespace(formatNamespace(name))).toEqual(name);
});

test.for(['hae', 'hae-1-2-ground', 'hae-1-2-3-moon', 'xhae-1-2-3-ground', 'hae-1-2-3-ground-2'])(
  '%s is nobody’s of ours',
  (name) => {
    expect(parseNamespace(name)).toBeNull();
  },
);

test('a process is alive until it ends, and no other of its id is it', async () => {
  const own = readOwnProcess();
  expect(isAlive(own)).toBe(true);
  expect(isAlive({ ...own, startTicks: own.startTicks + 1 })).toBe(false);
  const child = spawn('true');
  const pid = child.pid!;
  await once(child, 'exit');
  expect(isAlive({ pid, startTicks: own.startTicks })).toBe(false);
});

test('what a process used of all CPUs is read from the kernel, as the process itself reads it', () => {
  const usedSeconds = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  };
  // Two ticks: the kernel shows user and system each in whole ones.
  const before = usedSeconds() - 0.02;
  const { cpuSeconds } = readProcessStat(process.pid)!;
  expect(cpuSeconds).toBeGreaterThanOrEqual(before);
  expect(cpuSeconds).toBeLessThanOrEqual(usedSeconds() + 0.02);
  expect(readProcessStat(2 ** 22 + 1)).toBeNull();
});

test('the token of a testbed is abandoned when its process is gone, unless it is revoked already', () => {
  const nobody = 2 ** 22 + 1; // beyond the greatest id that Linux gives
  const of = (pid: number, revokedAt: string | null = null) => ({
    ...{ name: `./http-ae testbed up, process ${pid}`, revokedAt },
  });
  expect(isAbandoned(of(nobody))).toBe(true);
  expect(isAbandoned(of(process.pid))).toBe(false);
  expect(isAbandoned(of(nobody, '2026-01-01T00:00:00.000Z'))).toBe(false);
  expect(isAbandoned({ name: `laptop ${nobody}`, revokedAt: null })).toBe(false);
});

test('a missing tool is named with the package that brings it', () => {
  expect(findMissingTools('/nonexistent')).toEqual(['ip', 'tc', 'ethtool', 'iptables', 'nsenter', 'unshare']);
  expect(() => requireTools('/nonexistent')).toThrow('sudo apt-get install iproute2 ethtool iptables util-linux');
});

test('a tool that fails is reported with its words, one that is not there by its name', async () => {
  await expect(runTool('sh', '-c', 'echo no such thing >&2; exit 3')).rejects.toThrow(
    '`sh -c echo no such thing >&2; exit 3` failed with exit status 3: no such thing',
  );
  await expect(runTool('http-ae-no-such-tool')).rejects.toThrow(/`http-ae-no-such-tool` failed with .*ENOENT/);
});

const arguments_ = (input: object) =>
  qdiscArguments(resolveLinkProfile(LinkProfileInputSchema.parse({ preset: 'geo-1m', ...input })).forward);

test('the queue of a netem link is a token bucket of one packet and 10 ms, which wait in its flight', () => {
  const { queue, flight } = arguments_({ forward: { lossRatio: 0.02, jitterMs: 5 } });
  expect(queue.join(' ')).toBe('tbf rate 1000000bit burst 2764 limit 73750');
  expect(flight.join(' ')).toBe('netem limit 1682 delay 300000us 5000us loss 2% rate 1000000bit');
});

test('without a rate, netem’s is beyond all that passes, and keeps packets in order', () => {
  expect(arguments_({ forward: { rateKbps: 'unlimited' } }).flight.join(' ')).toContain('rate 10000000000bit');
});

test('netem loses in bursts by the chances that one begins, and that it ends', () => {
  const { flight } = arguments_({ forward: { lossRatio: 0.2, lossBurstPackets: 4 } });
  expect(flight.join(' ')).toContain(' loss gemodel 6.25% 25% rate ');
  expect(arguments_({ forward: { lossRatio: 0, lossBurstPackets: 4 } }).flight).not.toContain('loss');
});

test('a tool that says what is wrong in its output alone is reported with that', async () => {
  await expect(runTool('sh', '-c', 'echo in its output; exit 1')).rejects.toThrow('exit status 1: in its output');
  await expect(runTool('sh', '-c', 'echo result; echo wrong >&2; exit 1')).rejects.toThrow(/exit status 1: wrong$/);
  expect(await runTool('sh', '-c', 'echo result; echo a warning >&2')).toBe('result\n');
});

test('what is gone already needs no removing, and any other failure of the tool is reported', async () => {
  const remove = (script: string) => removeUnlessGone(/Cannot find device|No such file/, ['sh', '-c', script]);
  for (const script of ['true', 'echo Cannot find device >&2; exit 1', 'kill -9 $$'])
    await expect(remove(script)).resolves.toBeUndefined();
  for (const script of ['echo Operation not permitted >&2; exit 2', 'exit 1', 'kill -15 $$'])
    await expect(remove(script)).rejects.toThrow('failed with');
});

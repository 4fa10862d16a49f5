import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { resolveLinkProfile } from '#core/evaluation/network/link-profile-input.ts';
import type { TcpSettings } from '#core/evaluation/network/tcp-settings.ts';
import { openLink } from '#testbed/link/open-link.ts';
import { runTool } from '#testbed/namespaces/run-tool.ts';
import { openTestbedNetwork, type TestbedNetwork } from '#testbed/namespaces/testbed-network.ts';
import { applyTcpSettings } from '#testbed/tcp/apply-tcp-settings.ts';
import { observeConnection } from '#testbed/tcp/observe-connection.ts';
import { judgeTime } from '../support/judge-time.ts';
import { PlaceProgram } from './support/place-program.ts';

const stack = new AsyncDisposableStack();
let network: TestbedNetwork;

beforeAll(async () => {
  network = stack.use(await openTestbedNetwork());
  stack.use(await openLink({ network, profile: resolveLinkProfile({ preset: 'none' }) }));
});
afterAll(() => stack.disposeAsync());

const PortSchema = z.object({ port: z.number() });
const ControlPortSchema = z.object({ controlPort: z.number() });

const allowedVariants = () => readFileSync('/proc/sys/net/ipv4/tcp_allowed_congestion_control', 'utf8');

/** All that could be changed in `ground`, and what the machine allows. */
async function readState(): Promise<string[]> {
  const inGround = (...command: [string, ...string[]]) => runTool(...network.enter('ground'), ...command);
  return [
    await inGround('ip', '-details', 'address'),
    await inGround('ip', 'route', 'show', 'table', 'all'),
    // Without the key that the kernel draws once, when Fast Open is first used.
    await inGround('sh', '-c', 'grep . /proc/sys/net/ipv4/tcp_* 2>/dev/null | grep -v _key'),
    await inGround('nft', 'list', 'ruleset'),
    allowedVariants(),
  ];
}

function set(settings: TcpSettings) {
  return applyTcpSettings({
    settings,
    enter: network.enter('ground'),
    interface: 'link0',
    peer: { enter: network.enter('remote'), address: network.remote.address },
  });
}

const observe = () =>
  observeConnection(network.enter('ground'), { enter: network.enter('remote'), address: network.remote.address });

describe('TCP settings', () => {
  it('are what the kernel reports of a live connection, for one side only, and are put back exactly', async () => {
    const earlier = await readState();
    const unset = await observe();
    {
      await using applied = await set({
        congestionControl: 'cubic',
        initialWindowSegments: 23,
        mtuBytes: 1200,
        fastOpen: true,
      });
      expect(applied.connection).toMatchObject({ congestionControl: 'cubic', windowSegments: 23, pathMtuBytes: 1200 });
      expect(await readState()).not.toEqual(earlier);
      expect(allowedVariants()).toBe(earlier.at(-1));
      const other = await observeConnection(network.enter('remote'), {
        enter: network.enter('ground'),
        address: network.ground.address,
      });
      expect(other).toMatchObject({ congestionControl: unset.congestionControl, windowSegments: unset.windowSegments });
    }
    expect(await readState()).toEqual(earlier);
    expect(await observe()).toEqual(unset);
  });

  it('set buffers, slow start after idle and ECN of a live connection, and put them back exactly', async () => {
    const earlier = await readState();
    const unset = await observe();
    {
      await using applied = await set({
        receiveBufferBytes: 131_072,
        sendBufferBytes: 50_000,
        initialWindowSegments: 4,
        slowStartAfterIdle: false,
        ecn: true,
      });
      expect(applied.connection).toMatchObject({
        windowSegments: 4,
        receiveWindowScale: 2,
        receiveMemoryBytes: 262_144,
        sendMemoryBytes: 50_000,
        usesEcn: true,
      });
      expect(await runTool(...network.enter('ground'), 'cat', '/proc/sys/net/ipv4/tcp_slow_start_after_idle')).toBe(
        '0\n',
      );
    }
    expect(await readState()).toEqual(earlier);
    expect(await observe()).toEqual(unset);
    await using refusing = await set({ ecn: false });
    expect(refusing.connection).toMatchObject({ usesEcn: false });
  });

  it('limit one flow to the receive window for each round trip, in payload', async (context) => {
    const windowBytes = 131_072;
    const roundTripMs = 650;
    await using parts = new AsyncDisposableStack();
    const far = parts.use(await openTestbedNetwork());
    const profile = resolveLinkProfile({
      forward: { rateKbps: 'unlimited', delayMs: roundTripMs / 2 },
      return: { rateKbps: 'unlimited', delayMs: roundTripMs / 2 },
    });
    parts.use(await openLink({ network: far, profile }));
    const peer = { enter: far.enter('ground'), address: far.ground.address };
    const limit = await applyTcpSettings({
      settings: { receiveBufferBytes: windowBytes },
      enter: far.enter('remote'),
      interface: 'link0',
      peer,
    });
    parts.use(limit);
    // BBR would pause every 10 s, to look for a shorter round trip.
    await runTool(...far.enter('ground'), 'sysctl', '-qw', 'net.ipv4.tcp_congestion_control=reno');
    await using sender = new PlaceProgram(
      far.enter('ground'),
      'greedy-flow.ts',
      JSON.stringify({ host: far.ground.address, direction: 'forward' }),
    );
    const { port } = PortSchema.parse(JSON.parse(await sender.readLine()));
    await using receiver = new PlaceProgram(
      far.enter('remote'),
      'greedy-flow.ts',
      JSON.stringify({ host: far.ground.address, port, direction: 'forward', users: [far.remote.address] }),
    );
    const { controlPort } = ControlPortSchema.parse(JSON.parse(await receiver.readLine()));
    const readReceived = async () => {
      const answer = await fetch(`http://${far.remote.management.address}:${controlPort}/received`);
      return z.record(z.string(), z.number()).parse(await answer.json())[far.remote.address] ?? 0;
    };
    const receive = (bytes: number) =>
      vi.waitUntil(async () => {
        const received = await readReceived();
        return received >= bytes ? { bytes: received, atMs: performance.now() } : null;
      }, 30_000);

    // The kernel opens the window step by step.
    let received = await receive(8 * windowBytes);
    // What the sender knows of the receiver's window.
    const sockets = await runTool(...far.enter('ground'), 'ss', '-tinO', 'sport', '=', `:${port}`);
    expect(Number(/\bsnd_wnd:(\d+)/.exec(sockets)?.[1])).toBeLessThanOrEqual(windowBytes);
    await judgeTime(context, {
      measure: async () => {
        const first = received;
        received = await receive(first.bytes + 12 * windowBytes);
        return ((received.bytes - first.bytes) * 8) / (received.atMs - first.atMs);
      },
      holds: (kbps) => {
        const ideal = (windowBytes * 8) / roundTripMs;
        expect(kbps / ideal).toBeGreaterThan(0.97);
        expect(kbps / ideal).toBeLessThan(1.03);
      },
    });
  });

  it.each(['cubic', 'reno', 'bbr'])('pin the variant %s', async (congestionControl) => {
    await using applied = await set({ congestionControl });
    expect(applied.connection).toMatchObject({ congestionControl });
  });

  it('can be set again, over each other, and switch Fast Open off', async () => {
    const earlier = await readState();
    {
      await using first = await set({ initialWindowSegments: 4, fastOpen: true });
      await using second = await set({ initialWindowSegments: 40, fastOpen: false });
      expect([first, second].map(({ connection }) => connection!.windowSegments)).toEqual([4, 40]);
    }
    expect(await readState()).toEqual(earlier);
  });

  it('that are none change nothing and need no connection', async () => {
    await using applied = await set({});
    expect(applied.connection).toBeNull();
  });

  it('refuse a variant that the kernel lacks, with those that it has and how to load it, before anything was changed', async () => {
    const earlier = await readState();
    await expect(set({ congestionControl: 'hyblox', mtuBytes: 1200 })).rejects.toMatchObject({
      code: 'testbed-refused',
      message: expect.stringMatching(
        /^This kernel has no TCP variant "hyblox", only .*reno.*\. If it was built with hyblox, load it with "sudo modprobe tcp_hyblox"/,
      ) as unknown,
    });
    expect(await readState()).toEqual(earlier);
  });

  it('that fail half way leave no change', async () => {
    const earlier = await readState();
    const nowhere = { enter: network.enter('remote'), address: '198.19.77.77' };
    const settings = { congestionControl: 'cubic', initialWindowSegments: 23, mtuBytes: 1200, fastOpen: true };
    await expect(
      applyTcpSettings({ settings, enter: network.enter('ground'), interface: 'link0', peer: nowhere }),
    ).rejects.toMatchObject({
      code: 'testbed-failed',
      message: expect.stringContaining(
        'Cannot listen at 198.19.77.77 on the other side of the link: Error: listen EADDRNOTAVAIL',
      ) as unknown,
    });
    expect(await readState()).toEqual(earlier);
  });
});

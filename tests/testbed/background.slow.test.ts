import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { NetworkSchema } from '#core/evaluation/network/network.ts';
import { resolveLinkProfile } from '#core/evaluation/network/link-profile-input.ts';
import { openEmulatedNetwork } from '#testbed/emulated-network.ts';
import { runTool } from '#testbed/namespaces/run-tool.ts';
import { judgeTime } from '../support/judge-time.ts';
import { holdForAll } from '#tests/support/hold.ts';

const emulated = holdForAll(() => openEmulatedNetwork({ profile: resolveLinkProfile({ preset: 'none' }) }));

const rateKbps = 2000;
const roundTripMs = 100;

/** Lets a load cross a link for a while, and returns what was counted, by figure. */
async function load(
  background: unknown[],
  { forMs, link = {}, tcp = {} }: { forMs: number; link?: Record<string, unknown>; tcp?: object },
) {
  const way = { rateKbps, delayMs: roundTripMs / 2 };
  const network = NetworkSchema.parse({ link: { forward: { ...way, ...link }, return: way }, background, tcp });
  const check = await emulated.apply({ network, users: [] });
  const wrong = check!.findings.filter(({ isWithin }) => !isWithin);
  await pause(forMs);
  const figures = new Map((await emulated.endRound()).figures.map(({ figure, value }) => [figure, value]));
  return { wrong, figures };
}

it(
  'keeps a ping below 1.3 times the idle round trip under a bulk download with FQ-CoDel, where drop-tail does not',
  { timeout: 900_000 },
  async (context) => {
    const background = [{ kind: 'bulk-download', users: 1 }];
    const tcp = { ground: { congestionControl: 'cubic' } };
    const queueBytes = 250_000; // a second at that rate
    await judgeTime(context, {
      measure: async () => ({
        dropTail: await load(background, { forMs: 10_000, link: { queueBytes }, tcp }),
        managed: await load(background, { forMs: 10_000, link: { queueBytes, queue: 'fq-codel' }, tcp }),
      }),
      holds: ({ dropTail, managed }) => {
        expect(dropTail.figures.get('ping round trip p50')).toBeGreaterThan(1.3 * roundTripMs);
        expect(managed.figures.get('ping round trip p50')).toBeLessThan(1.3 * roundTripMs);
        expect(managed.figures.get('ping round trip p95')).toBeLessThan(1.3 * roundTripMs);
        for (const { figures, wrong } of [dropTail, managed]) {
          expect(wrong).toEqual([]);
          // All but headers and the beginning.
          expect(figures.get('bulk-download throughput')).toBeGreaterThan(0.5 * rateKbps);
          expect(figures.get('bulk-download throughput')).toBeLessThan(rateKbps);
          expect(figures.get('bulk-download round trip p50')).toBeGreaterThan(roundTripMs);
        }
      },
    });
  },
);

it('sends voice, video and uploads at the same time, counts each, and leaves nothing on the link', async (context) => {
  const background = [
    { kind: 'voice', users: 3 },
    { kind: 'video', users: 1, ladderKbps: [100, 200, 400] },
    { kind: 'bulk-upload', users: 2 },
  ];
  await judgeTime(context, {
    measure: async () => {
      const loaded = await load(background, { forMs: 10_000 });
      const { forward, return: back } = await emulated.link.statistics();
      expect([forward.queuedPackets, back.queuedPackets]).toEqual([0, 0]);
      const inGround = (...command: [string, ...string[]]) => runTool(...emulated.network.enter('ground'), ...command);
      expect(await inGround('ss', '-tanH', 'sport', '>=', ':7000', 'and', 'sport', '<=', ':7200')).toBe('');
      return loaded;
    },
    holds: ({ wrong, figures }) => {
      expect(wrong).toEqual([]);
      // A burst of video may overflow the queue.
      expect(figures.get('voice to users loss')).toBeLessThan(5);
      expect(figures.get('voice to users one-way delay p50')).toBeGreaterThanOrEqual(roundTripMs / 2);
      expect(figures.get('voice to users one-way delay p50')).toBeLessThan(roundTripMs);
      // The uploads fill the return queue, which voice from users crosses.
      expect(figures.get('voice from users one-way delay p50')).toBeGreaterThan(
        figures.get('voice to users one-way delay p50')!,
      );
      expect(figures.get('bulk-upload throughput')).toBeGreaterThan(0.4 * rateKbps);
      expect(figures.get('bulk-upload sent again')).toBeGreaterThanOrEqual(0);
      expect(figures.get('video rate')).toBeGreaterThanOrEqual(100);
      expect(figures.get('video throughput')).toBeGreaterThan(50);
      expect(figures.get('video segment p50')).toBeGreaterThan(roundTripMs);
      expect(figures.get('ping loss')).toBeLessThan(50);
    },
  });
});

it('has each figure of a load that could send nothing as not measured', async () => {
  const { figures } = await load([{ kind: 'bulk-download' }], { forMs: 0 });
  expect(figures.get('ping loss')).toBeNull();
  expect(figures.get('ping round trip p50')).toBeNull();
});

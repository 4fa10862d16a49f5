import path from 'node:path';
import { expect, it } from 'vitest';
import { NetworkSchema } from '#core/evaluation/network/network.ts';
import { resolveLinkProfile } from '#core/evaluation/network/link-profile-input.ts';
import { openEmulatedNetwork } from '#testbed/emulated-network.ts';
import { runTool } from '#testbed/namespaces/run-tool.ts';
import { judgeTime } from '../support/judge-time.ts';
import { holdForAll } from '#tests/support/hold.ts';

const emulated = holdForAll(() => openEmulatedNetwork({ profile: resolveLinkProfile({ preset: 'none' }) }));

/** Sets a link, sends 30 small packets over it, 100 ms after each other, and ends the Round. */
async function useLink(link: string) {
  const check = await emulated.apply({ network: NetworkSchema.parse({ link }), users: [] });
  const { network } = emulated;
  const program = path.join(import.meta.dirname, 'support/send-datagrams.ts');
  const order = [network.ground.address, '30', '100', '2500'];
  await runTool(...network.enter('remote'), process.execPath, program, ...order);
  const figures = new Map((await emulated.endRound()).figures.map(({ figure, value }) => [figure, value!]));
  return {
    wrong: check!.findings.filter(({ isWithin }) => !isWithin),
    roundTripMs: check!.findings.find(({ figure }) => figure === 'round trip')!.measured!,
    assigned: figures.get('return capacity assigned')!,
    used: figures.get('return capacity used')!,
    wasted: figures.get('return capacity wasted')!,
    utilisation: figures.get('return utilisation')!,
  };
}

it('has the round trip of its model on an idle link, and counts what is assigned, used and wasted in a Round', async (context) => {
  await judgeTime(context, {
    measure: async () => {
      const links = {
        constant: await useLink('bod-cra'),
        volume: await useLink('bod-vbdc'),
        rate: await useLink('bod-rbdc'),
      };
      // All carry the same packets, however late these are sent.
      for (const { used } of Object.values(links)) expect(used).toBeCloseTo((30 * 60) / 1000, 2);
      expect(links.constant.assigned).toBeCloseTo(links.constant.used + links.constant.wasted, 6);
      return links;
    },
    holds: ({ constant, volume, rate }) => {
      for (const { wrong } of [constant, volume, rate]) expect(wrong).toEqual([]);
      expect(Math.abs(constant.roundTripMs / 600 - 1)).toBeLessThan(0.01);
      // 29 gaps of 100 ms at 512 kb/s, and the packets' own times.
      expect(constant.assigned).toBeGreaterThan(0.95 * ((2900 * 512) / 8 / 1000));
      expect(Math.abs(volume.roundTripMs / 1600 - 1)).toBeLessThan(0.05);
      expect(volume.utilisation).toBeGreaterThan(99);
      expect(rate.utilisation).toBeLessThan(volume.utilisation);
      expect(rate.utilisation).toBeGreaterThan(constant.utilisation);
    },
  });
});

it('has no figures of a link whose rate is constant', async () => {
  await emulated.apply({ network: NetworkSchema.parse({ link: 'cable' }), users: [] });
  expect(await emulated.endRound()).toEqual({ figures: [], fault: null });
  expect(await emulated.endRound()).toEqual({ figures: [], fault: null });
});

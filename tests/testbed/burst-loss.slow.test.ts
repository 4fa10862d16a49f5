import { afterAll, beforeAll, expect, test } from 'vitest';
import { LinkProfileInputSchema, resolveLinkProfile } from '#core/evaluation/network/link-profile-input.ts';
import { burstBounds, lossBounds, countLosses } from '#testbed/check/judge-link.ts';
import { openLinkChecker, type LinkChecker } from '#testbed/check/link-checker.ts';
import { createRandom } from '#testbed/link/model/create-random.ts';
import { openLossSource } from '#testbed/link/model/link-model.ts';
import { openUserspaceLink, type UserspaceLink } from '#testbed/link/userspace/userspace-backend.ts';
import { openTestbedNetwork } from '#testbed/namespaces/testbed-network.ts';

const seed = 20_261_125;
const confidence = 1 - 1e-7;
/** Each way its own: what users download by loses seldom and long, the other way often and briefly. */
const losses = {
  forward: { lossRatio: 0.03, lossBurstPackets: 6 },
  return: { lossRatio: 0.1, lossBurstPackets: 2.5 },
};
const other = { rateKbps: 2000, delayMs: 20 };
const profile = resolveLinkProfile(
  LinkProfileInputSchema.parse({
    forward: { ...other, ...losses.forward },
    return: { ...other, ...losses.return },
  }),
);

const stack = new AsyncDisposableStack();
let link: UserspaceLink;
let checker: LinkChecker;

beforeAll(async () => {
  const network = stack.use(await openTestbedNetwork());
  link = stack.use(await openUserspaceLink({ network, profile, seed }));
  checker = stack.use(await openLinkChecker(network));
});
afterAll(() => stack.disposeAsync());

/** What the model loses of the first packets of that direction, by the seed that it has. */
function loseByModel(side: 'forward' | 'return', sent: number) {
  const isNextLost = openLossSource(losses[side], createRandom(side === 'forward' ? seed : seed + 1));
  const arrived = Array.from({ length: sent }, (_, number) => number).filter(() => !isNextLost());
  return countLosses(arrived, sent);
}

test('of 4000 datagrams over the link, as many are lost, and as many in a row, as the model says', async () => {
  const { findings, measurement } = await checker.run(profile, { probeForMs: 8_000, loadForMs: 1_500 });
  expect(measurement.probesSent.return).toBe(4000);
  for (const side of ['forward', 'return'] as const) {
    const sent = measurement.probesSent[side];
    const { lost, bursts } = measurement.probesLost[side];
    // Exactly those that the seed says: nothing else was lost, and nothing else crossed the link.
    expect({ lost, bursts }).toEqual(loseByModel(side, sent));

    const { lossRatio: ratio, lossBurstPackets: burstPackets } = losses[side];
    const ofAll = lossBounds({ trials: sent, ratio, burstPackets, confidence });
    expect(lost).toBeGreaterThanOrEqual(ofAll.low);
    expect(lost).toBeLessThanOrEqual(ofAll.high);
    const ofBursts = burstBounds({ bursts, burstPackets, confidence });
    expect(lost).toBeGreaterThanOrEqual(ofBursts.low);
    expect(lost).toBeLessThanOrEqual(ofBursts.high);
  }
  // Of losses alone: rate and round trip are held in link.slow.test.ts.
  const ofLosses = findings.filter(({ figure }) => figure.includes('loss'));
  expect(ofLosses.filter(({ isWithin }) => !isWithin)).toEqual([]);
  expect(findings.map(({ figure }) => figure)).toEqual(
    expect.arrayContaining(['forward loss burst', 'return loss burst']),
  );
});

test('a link that loses packets one by one does not pass for one that loses as many in bursts', async () => {
  const alone = { ...other, lossRatio: 0.1 };
  await link.apply(resolveLinkProfile(LinkProfileInputSchema.parse({ forward: alone, return: alone })));
  const bursty = { ...alone, lossBurstPackets: 3 };
  const { findings } = await checker.run(
    resolveLinkProfile(LinkProfileInputSchema.parse({ forward: bursty, return: bursty })),
  );
  const wrong = findings.filter(({ isWithin }) => !isWithin).map(({ figure }) => figure);
  expect(wrong.filter((figure) => figure.includes('loss'))).toEqual(['forward loss burst', 'return loss burst']);
});

import { expect, test } from 'vitest';
import { readYaml, type InvalidInputError } from '#controller/http/build-router.ts';
import { describeDirection } from '#core/evaluation/network/describe-link.ts';
import { LinkProfileInputSchema, resolveLinkProfile } from '#core/evaluation/network/link-profile-input.ts';
import { linkPresetNames } from '#core/evaluation/network/link-profile-presets.ts';
import { LinkProfileSchema, needsUserspace } from '#core/evaluation/network/link-profile.ts';

const resolve = (input: unknown) => resolveLinkProfile(LinkProfileInputSchema.parse(input));

function refusalOf(yaml: string): string[] {
  try {
    readYaml(yaml, LinkProfileInputSchema);
  } catch (error) {
    return (error as InvalidInputError).issues.map(({ path, line, message }) => `${line ?? 0} ${path}: ${message}`);
  }
  return [];
}

test('every preset is a whole profile', () => {
  for (const preset of linkPresetNames) expect(LinkProfileSchema.parse(resolve(preset)).name).toBe(preset);
});

test('a link with the greatest rate and delay is a whole profile, with the longest queue that may be written', () => {
  const direction = { rateKbps: 10_000_000, delayMs: 60_000 };
  const link = LinkProfileSchema.parse(resolve({ forward: direction, return: direction }));
  expect(link.forward.queueBytes).toBe(2_000_000_000);
});

test('geo-256k is 256 kb/s and 300 ms each way, with a queue of one bandwidth-delay product', () => {
  const direction = {
    rate: { kind: 'constant', kbps: 256 },
    delayMs: 300,
    jitterMs: 0,
    lossRatio: 0,
    lossBurstPackets: null,
    queueBytes: (256 * 600) / 8,
  };
  expect(resolve('geo-256k')).toEqual({ name: 'geo-256k', forward: direction, return: direction });
});

test.for([
  ['geo-2m', { forwardKbps: 2048, returnKbps: 512, roundTripMs: 650 }],
  ['geo-8m', { forwardKbps: 8000, returnKbps: 512, roundTripMs: 750 }],
  ['geo-128k-520ms', { forwardKbps: 128, returnKbps: 128, roundTripMs: 520 }],
  ['geo-1m-720ms', { forwardKbps: 1000, returnKbps: 1000, roundTripMs: 720 }],
] as const)('%s is the link of its paper', ([preset, { forwardKbps, returnKbps, roundTripMs }]) => {
  const link = resolve(preset);
  expect(link.forward.rate).toEqual({ kind: 'constant', kbps: forwardKbps });
  expect(link.return.rate).toEqual({ kind: 'constant', kbps: returnKbps });
  expect(link.forward.delayMs + link.return.delayMs).toBe(roundTripMs);
  expect([link.forward.queueBytes, link.return.queueBytes]).toEqual(
    [forwardKbps, returnKbps].map((kbps) => Math.max(15_140, (kbps * roundTripMs) / 8)),
  );
});

test('a queue that is not given holds at least ten full packets', () => {
  expect(resolve('geo-64k').forward.queueBytes).toBe(15_140);
  expect(resolve({ preset: 'geo-64k', forward: { rateKbps: 8000 } }).forward.queueBytes).toBe(600_000);
});

test('the queue of a rate that varies is that of its peak', () => {
  const { forward } = resolve({
    preset: 'geo-1m',
    forward: {
      rateTrace: {
        steps: [
          [0, 64],
          [1000, 4000],
        ],
      },
    },
  });
  expect(forward.queueBytes).toBe(300_000);
});

test('what is written beside a preset goes before it', () => {
  const profile = resolve({ preset: 'geo-1m', return: { lossRatio: 0.02, delayMs: 400, jitterMs: 5 } });
  expect(profile.return).toMatchObject({
    lossRatio: 0.02,
    delayMs: 400,
    jitterMs: 5,
    rate: { kind: 'constant', kbps: 1000 },
  });
  expect(profile.forward).toMatchObject({ lossRatio: 0, delayMs: 300 });
});

test('losses are independent, unless the profile says how many packets are lost in a row', () => {
  const { forward, return: back } = resolve({
    preset: 'geo-1m',
    forward: { lossRatio: 0.02, lossBurstPackets: 4 },
    return: { lossRatio: 0.02 },
  });
  expect(forward.lossBurstPackets).toBe(4);
  expect(back.lossBurstPackets).toBeNull();
  expect([forward, back].map(describeDirection)).toEqual([
    '1 Mb/s, 300 ms, 2 % lost in bursts of 4',
    '1 Mb/s, 300 ms, 2 % lost',
  ]);
  // A sweep of loss ratios may have 0 beside one burst length.
  expect(describeDirection(resolve({ preset: 'geo-1m', forward: { lossRatio: 0, lossBurstPackets: 4 } }).forward)).toBe(
    '1 Mb/s, 300 ms',
  );
});

test('capacity on demand is granted one round trip after it was asked for, unless the profile says when', () => {
  const rateOnDemand = { constantKbps: 16, volumeBasedMaxKbps: 240 };
  expect(resolve({ preset: 'geo-1m', return: { rateOnDemand } }).return.rate).toMatchObject({
    kind: 'on-demand',
    grantDelayMs: 600,
  });
  expect(
    resolve({ preset: 'geo-1m', return: { rateOnDemand: { ...rateOnDemand, grantDelayMs: 50 } } }).return.rate,
  ).toMatchObject({ grantDelayMs: 50 });
});

test('a queue is drop-tail, or CoDel with the defaults of RFC 8289', () => {
  expect(resolve({ preset: 'geo-1m', forward: { queue: 'drop-tail' } }).forward.queue).toBeUndefined();
  const { forward, return: back } = resolve({
    preset: 'geo-1m',
    forward: { queue: 'fq-codel' },
    return: { queue: 'codel', queueTargetMs: 35, queueIntervalMs: 650 },
  });
  expect(forward.queue).toEqual({ kind: 'fq-codel', targetMs: 5, intervalMs: 100 });
  expect([forward, back].map(describeDirection)).toEqual([
    '1 Mb/s, 300 ms, FQ-CoDel',
    '1 Mb/s, 300 ms, CoDel (35 ms, 650 ms)',
  ]);
});

test('presets have capacity on demand, of which a profile may choose another rate', () => {
  expect(resolve('bod-vbdc').return.rate).toMatchObject({ kind: 'on-demand', grantDelayMs: 954 });
  expect(resolve({ preset: 'bod-vbdc', return: { rateKbps: 256 } }).return).toMatchObject({
    rate: { kind: 'constant', kbps: 256 },
    delayMs: 300,
  });
  expect(describeDirection(resolve('bod-mixed').return)).toBe('up to 512 kb/s, 300 ms');
});

test('the kernel makes no link whose rate varies, whose queue is managed, or whose jitter it would cut', () => {
  const way = { rateKbps: 1000, delayMs: 5000 };
  const needs = (change: object) => needsUserspace(resolve({ forward: way, return: { ...way, ...change } }));
  expect([{}, { jitterMs: 2000 }, { queue: 'drop-tail' }].map(needs)).toEqual([false, false, false]);
  expect([{ jitterMs: 3000 }, { queue: 'codel' }].map(needs)).toEqual([true, true]);
});

test('a profile that was parsed and stored is read again as it was', () => {
  const once = LinkProfileInputSchema.parse({
    preset: '3g',
    forward: { rateTrace: { steps: [[0, 10]] }, jitterMs: 1 },
  });
  expect(LinkProfileInputSchema.parse(JSON.parse(JSON.stringify(once)))).toEqual(once);
  expect(LinkProfileInputSchema.parse('geo-1m')).toEqual({ preset: 'geo-1m' });
});

test.for([
  ['preset: geo-3m', /^1 preset: must be one of geo-64k, .*, none, not "geo-3m"$/],
  ['preset: geo-1m\nforward:\n  rateKbps: 0', /^3 forward\.rateKbps: must be at least 0\.1: nothing crosses/],
  [
    'preset: geo-1m\nforward:\n  rateKbps: 256k',
    /^3 forward\.rateKbps: must be a number of kilobits per second, not "256k"/,
  ],
  [
    'preset: geo-1m\nreturn:\n  lossRatio: 1.5',
    /^3 return\.lossRatio: must be at most 1, as it is a ratio \(for 1\.5 % write 0\.015\)$/,
  ],
  [
    'preset: geo-1m\nreturn:\n  lossRatio: 2%',
    /^3 return\.lossRatio: must be a number from 0 to 1, not "2%" \(write 0\.02\)$/,
  ],
  [
    'preset: geo-1m\nreturn:\n  lossBurstPackets: 4',
    /^3 return\.lossBurstPackets: needs lossRatio, the probability that a packet is lost$/,
  ],
  [
    'preset: geo-1m\nreturn:\n  lossRatio: 1\n  lossBurstPackets: 4',
    /^4 return\.lossBurstPackets: needs a lossRatio below 1/,
  ],
  [
    'preset: geo-1m\nreturn:\n  lossRatio: 0.2\n  lossBurstPackets: 1.1',
    /^4 return\.lossBurstPackets: must be at least 1\.25, the mean of independent losses at this lossRatio/,
  ],
  [
    'preset: geo-1m\nreturn:\n  lossRatio: 0.2\n  lossBurstPackets: 5000',
    /^4 return\.lossBurstPackets: must be at most 100 packets: for longer outages use rateTrace with a rate of 0$/,
  ],
  ['preset: geo-1m\nreturn:\n  lossRatio: -0.1', /^3 return\.lossRatio: must be at least 0$/],
  [
    'preset: geo-1m\nreturn:\n  queueBytes: 1513',
    /^3 return\.queueBytes: must be at least 1514, the size of a full packet$/,
  ],
  [
    'preset: geo-1m\nreturn:\n  delayMs: 300ms',
    /^3 return\.delayMs: must be a number of milliseconds without a unit, not "300ms" \(write 300\)$/,
  ],
  ['preset: cable\nreturn:\n  jitterMs: 20', /^3 return\.jitterMs: must be at most delayMs \(14\)/],
  ['preset: geo-1m\nforward:\n  rate: 8', /^3 forward\.rate: unknown key "rate"; did you mean "rateKbps"\?$/],
  [
    'forward:\n  rateKbps: 8\n  delayMs: 1',
    /^\d return\.rateKbps: must be in kilobits per second or "unlimited", unless a preset is named$/,
  ],
  [
    'preset: geo-1m\nforward:\n  rateKbps: 8\n  rateTrace: { steps: [[0, 8]] }',
    /^4 forward\.rateTrace: cannot be used with "rateKbps"/,
  ],
  ['preset: geo-1m\nforward:\n  rateTrace: { steps: [[5, 8]] }', /^3 forward\.rateTrace\.steps\[0\]\[0\]: must be 0/],
  [
    'preset: geo-1m\nforward:\n  rateTrace: { steps: [[0, 8], [0, 9]] }',
    /steps\[1\]\[0\]: must be later than the step before it$/,
  ],
  ['preset: geo-1m\nforward:\n  rateTrace: { steps: [] }', /^3 forward\.rateTrace\.steps: must have at least one/],
  ['preset: geo-1m\nforward:\n  rateTrace: { steps: [[0, 8], [9, 0]] }', /steps: must not end in an outage/],
  [
    'preset: geo-1m\nforward:\n  rateTrace: { steps: [[0, 8], [9, 0]], repeatAfterMs: 9 }',
    /repeatAfterMs: must be more than 9 ms/,
  ],
  ['preset: geo-1m\nforward:\n  queue: red', /^3 forward\.queue: must be one of drop-tail, codel, fq-codel/],
  ['preset: geo-1m\nforward:\n  queueTargetMs: 9', /queueTargetMs: needs "queue: codel" or "queue: fq-codel"/],
  [
    'preset: geo-1m\nforward: { queue: codel, queueTargetMs: 100 }',
    /queueTargetMs: the target \(100 ms\) must be below the interval \(100 ms\)/,
  ],
  [
    'preset: geo-1m\nforward:\n  rateOnDemand: { frameMs: 10 }',
    /rateOnDemand: needs constantKbps, rateBasedMaxKbps or volumeBasedMaxKbps above 0/,
  ],
] as [string, RegExp][])('refused with its line, its field and the fix: %s', ([yaml, expected]) => {
  expect(refusalOf(yaml)[0]).toMatch(expected);
});

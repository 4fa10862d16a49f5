/** One direction of a preset: its rate and its one-way delay; no loss, no jitter, the queue that belongs to them. */
interface PresetDirection {
  rateKbps: number | 'unlimited';
  delayMs: number;
}

const geo = (rateKbps: number): Record<'forward' | 'return', PresetDirection> => ({
  forward: { rateKbps, delayMs: 300 },
  return: { rateKbps, delayMs: 300 },
});

/** Links that can be named. */
export const linkPresets = {
  // The satellite link of Davern et al. 2011: the same rate both ways, 300 ms each.
  'geo-64k': geo(64),
  'geo-128k': geo(128),
  'geo-256k': geo(256),
  'geo-512k': geo(512),
  'geo-1m': geo(1000),
  // Secchi et al. 2015: 8 Mb/s forward, 512 kb/s return, 750 ms round trip.
  'geo-8m': { forward: { rateKbps: 8000, delayMs: 375 }, return: { rateKbps: 512, delayMs: 375 } },
  // As WebPageTest has them: Cable 5/1 Mb/s, 28 ms; 3G 1.6 Mb/s / 768 kb/s, 300 ms.
  cable: { forward: { rateKbps: 5000, delayMs: 14 }, return: { rateKbps: 1000, delayMs: 14 } },
  '3g': { forward: { rateKbps: 1600, delayMs: 150 }, return: { rateKbps: 768, delayMs: 150 } },
  none: { forward: { rateKbps: 'unlimited', delayMs: 0 }, return: { rateKbps: 'unlimited', delayMs: 0 } },
} as const satisfies Record<string, Record<'forward' | 'return', PresetDirection>>;

export type LinkPreset = keyof typeof linkPresets;
export const linkPresetNames = Object.keys(linkPresets) as LinkPreset[];

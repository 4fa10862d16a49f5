import type { RateOnDemand } from './link-profile-demand.ts';

/** One direction of a preset: its rate and its one-way delay; no loss, no jitter, the queue that belongs to them. */
export interface PresetDirection {
  rateKbps?: number | 'unlimited';
  rateOnDemand?: RateOnDemand;
  delayMs: number;
}

const geo = (rateKbps: number, delayMs = 300) => ({
  forward: { rateKbps, delayMs },
  return: { rateKbps, delayMs },
});

/**
 * Capacity on demand on the return link, 512 kb/s at the most in each. The grant delay is 36 frames: with it an idle round trip over volume
 * requests takes the 1.6 s of Caviglione et al. 2014, section 5.4, in which 600 ms are the link's.
 */
const bod = (
  capacity: Partial<Pick<RateOnDemand, 'constantKbps' | 'rateBasedMaxKbps' | 'volumeBasedMaxKbps'>>,
): Record<'forward' | 'return', PresetDirection> => ({
  forward: { rateKbps: 8000, delayMs: 300 },
  return: {
    rateOnDemand: {
      constantKbps: 0,
      rateBasedMaxKbps: 0,
      volumeBasedMaxKbps: 0,
      frameMs: 26.5,
      grantDelayMs: 954,
      ...capacity,
    },
    delayMs: 300,
  },
});

const presets = {
  // The satellite links of Davern et al. 2011 and 2012: the same rate both ways, 300 ms each.
  'geo-64k': geo(64),
  'geo-128k': geo(128),
  'geo-256k': geo(256),
  'geo-512k': geo(512),
  'geo-1m': geo(1000),
  // Secchi et al. 2015, section 4: the satellite alone, 2048 kb/s forward, 512 kb/s return, 650 ms round trip.
  'geo-2m': { forward: { rateKbps: 2048, delayMs: 325 }, return: { rateKbps: 512, delayMs: 325 } },
  // Sections 4.1 to 4.3 there: 8 Mb/s forward, and 750 ms round trip, the Internet's part included.
  'geo-8m': { forward: { rateKbps: 8000, delayMs: 375 }, return: { rateKbps: 512, delayMs: 375 } },
  // Caviglione et al. 2014, section 5.2: the two settings of its emulated link. The delay is that of the round trip (6.2).
  'geo-128k-520ms': geo(128, 260),
  'geo-1m-720ms': geo(1000, 360),
  'bod-cra': bod({ constantKbps: 512 }),
  'bod-rbdc': bod({ rateBasedMaxKbps: 512 }),
  'bod-vbdc': bod({ volumeBasedMaxKbps: 512 }),
  'bod-mixed': bod({ rateBasedMaxKbps: 256, volumeBasedMaxKbps: 256 }),
  // As WebPageTest has them: Cable 5/1 Mb/s, 28 ms; 3G 1.6 Mb/s / 768 kb/s, 300 ms.
  cable: { forward: { rateKbps: 5000, delayMs: 14 }, return: { rateKbps: 1000, delayMs: 14 } },
  '3g': { forward: { rateKbps: 1600, delayMs: 150 }, return: { rateKbps: 768, delayMs: 150 } },
  none: { forward: { rateKbps: 'unlimited', delayMs: 0 }, return: { rateKbps: 'unlimited', delayMs: 0 } },
} as const satisfies Record<string, Record<'forward' | 'return', PresetDirection>>;

export type LinkPreset = keyof typeof presets;
/** Links that can be named. */
export const linkPresets: Record<LinkPreset, Record<'forward' | 'return', PresetDirection>> = presets;
export const linkPresetNames = Object.keys(linkPresets) as LinkPreset[];

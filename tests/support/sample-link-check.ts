import type { LinkCheck } from '#core/protocol/link-check.ts';

/** A link that was as its profile says, and what then crossed it. */
export function makeLinkCheck(): LinkCheck {
  return {
    profile: 'bod-mixed',
    backend: 'userspace',
    tookMs: 4000,
    findings: [
      { figure: 'round trip', unit: 'ms', measured: 1594, expected: 1590, low: 1500, high: 1680, isWithin: true },
    ],
    during: [
      { figure: 'return capacity assigned', unit: 'kB', value: 120.4 },
      { figure: 'return capacity used', unit: 'kB', value: 80.2 },
      { figure: 'return capacity wasted', unit: 'kB', value: 40.2 },
      { figure: 'return utilisation', unit: '%', value: 66.6 },
      { figure: 'bulk-download throughput', unit: 'kb/s', value: 7420 },
      { figure: 'bulk-download round trip p50', unit: 'ms', value: 1720.4 },
      { figure: 'ping round trip p50', unit: 'ms', value: 1610.2 },
      { figure: 'ping round trip p95', unit: 'ms', value: 1700.2 },
      { figure: 'voice to users loss', unit: '%', value: null },
    ],
  };
}

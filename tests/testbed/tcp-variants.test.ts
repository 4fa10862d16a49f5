import { expect, test } from 'vitest';
import type { TcpSettings } from '#core/evaluation/tcp-settings.ts';
import { hasKernel, runInKernel } from './support/kernel/run-in-kernel.ts';

const windowSegments = 4;
const settings: TcpSettings[] = [
  ...['hybla', 'bic', 'vegas', 'westwood'].map((congestionControl) => ({ congestionControl })),
  { congestionControl: 'cubic', initialWindowSegments: windowSegments },
  { congestionControl: 'hybla', initialWindowSegments: windowSegments },
  { congestionControl: 'illinois' },
];

const script = `
for module in sch_netem sch_tbf veth bridge af_packet tcp_hybla tcp_bic tcp_vegas tcp_westwood tcp_diag; do modprobe $module; done
node tests/testbed/support/kernel/set-variants.ts /out/outcomes.json ${settings.map((each) => `'${JSON.stringify(each)}'`).join(' ')}`;

test.skipIf(!hasKernel)(
  'each TCP variant that a kernel has is what its connections over a satellite link use, and one that is not loaded is refused',
  async () => {
    const files = await runInKernel(script, ['outcomes.json']);
    expect(JSON.parse(files['outcomes.json']!)).toEqual({
      backend: 'netem',
      outcomes: [
        // One segment per 25 ms of the round trip.
        expect.objectContaining({ congestionControl: 'hybla', windowSegments: 24, pathMtuBytes: 1500 }),
        expect.objectContaining({ congestionControl: 'bic' }),
        expect.objectContaining({ congestionControl: 'vegas' }),
        expect.objectContaining({ congestionControl: 'westwood' }),
        expect.objectContaining({ congestionControl: 'cubic', windowSegments }),
        'A new connection does not have the TCP settings: initialWindowSegments is 24, not 4 (some variants, such as hybla, set their own window: remove initialWindowSegments)',
        expect.stringMatching(/no TCP variant "illinois", only .*hybla.*load it with "sudo modprobe tcp_illinois"/),
      ],
      isAllowedAsBefore: true,
    });
  },
);

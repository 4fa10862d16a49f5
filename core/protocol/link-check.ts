import { z } from 'zod';
import { segments } from '../evaluation/network/network-path.ts';
import { NetworkFigureSchema, NetworkFiguresSchema } from './network-figure.ts';
import { TunnelRecordSchema } from './tunnel-record.ts';

/** One figure of the emulated link that was held against its profile. */
export const LinkFindingSchema = z.object({
  /** Of a path: the part of it that was measured. Left out for a single link. */
  segment: z.enum([...segments, 'end to end']).optional(),
  figure: z.enum([
    'round trip',
    'forward rate',
    'return rate',
    'forward loss',
    'return loss',
    'forward loss burst',
    'return loss burst',
  ]),
  unit: z.enum(['ms', 'kbps', 'packets lost', 'packets in a row']),
  /** Null when nothing came through by which it could be measured. */
  measured: NetworkFigureSchema.shape.value,
  expected: z.number(),
  low: z.number(),
  high: z.number(),
  isWithin: z.boolean(),
});
export type LinkFinding = z.infer<typeof LinkFindingSchema>;

/** What the emulated link was measured to do right before a Round, and what the network did during it. */
export const LinkCheckSchema = z.object({
  profile: z.string(),
  backend: z.enum(['netem', 'userspace']),
  findings: z.array(LinkFindingSchema),
  tookMs: z.number().nonnegative(),
  /** Left out until the Round has ended. */
  during: NetworkFiguresSchema.optional(),
  /** Left out where the Scenario has none. */
  tunnel: TunnelRecordSchema.optional(),
});
export type LinkCheck = z.infer<typeof LinkCheckSchema>;

const suffixes: Record<LinkFinding['unit'], string> = {
  ms: ' ms',
  kbps: ' kb/s',
  'packets lost': '',
  'packets in a row': ' packets',
};

/** `round trip 600.3 ms (expected 600.2)`, of a path `satellite round trip …`. */
export function describeFinding({ segment, figure, unit, measured, expected }: LinkFinding): string {
  const digits = unit === 'packets lost' ? 0 : 1;
  const ownName = unit === 'packets lost' ? figure.replace('loss', 'packets lost') : figure;
  const name = segment === undefined ? ownName : `${segment} ${ownName}`;
  const suffix = suffixes[unit];
  return measured === null
    ? `${name} could not be measured`
    : `${name} ${measured.toFixed(digits)}${suffix} (expected ${expected.toFixed(digits)})`;
}

/** What is not as the profile says, in words with the figures; empty when all is. */
export function describeMismatches({ findings }: LinkCheck): string[] {
  return findings
    .filter(({ isWithin }) => !isWithin)
    .map((finding) => `${describeFinding(finding)}, outside ${finding.low.toFixed(1)} to ${finding.high.toFixed(1)}`);
}

import { z } from 'zod';
import { PageLoadRulesSchema } from '../evaluation/pages/page-load.ts';
import { AddedRoundsSchema } from '../evaluation/rounds/repetition.ts';
import { RestSchema } from '../evaluation/users/rest.ts';
import { RunLabelsSchema } from '../protocol/api/run-labels.ts';
import { LinkFindingSchema } from '../protocol/link-check.ts';
import { NetworkFigureSchema } from '../protocol/network-figure.ts';
import { TunnelRecordSchema } from '../protocol/tunnel-record.ts';

/** A figure of what the emulated network did during the counted Rounds of a Scenario. */
const NetworkDuringSchema = z.object({
  scenario: z.string(),
  figure: NetworkFigureSchema.shape.figure,
  unit: NetworkFigureSchema.shape.unit,
  /** Rounds that measured it. */
  rounds: z.number().int(),
  /** Over those Rounds; null when none measured it. */
  mean: z.number().nullable(),
  smallest: z.number().nullable(),
  largest: z.number().nullable(),
});

/** How a Run was measured: what of its report's small print the Evaluation Comparison does not hold. */
export const RunMethodSchema = z.object({
  /** Of the definitions that the Readings of the counted Rounds follow, in docs/metrics.md: more than one where Rounds were added after an upgrade. Empty without such Rounds. */
  metricsVersions: z.array(z.number().int()),
  controllerVersion: z.string(),
  startedAt: z.iso.datetime({ offset: true }).nullable(),
  endedAt: z.iso.datetime({ offset: true }).nullable(),
  labels: RunLabelsSchema.default({}),
  /** The ids of the Runs that were under way at the same time. */
  beside: z.array(z.string()).default([]),
  /** The Rounds that were added after the Run had ended, and in what they differ from those before, a sentence each. */
  added: z
    .array(
      AddedRoundsSchema.extend({ endedAt: z.iso.datetime({ offset: true }).nullable(), changes: z.array(z.string()) }),
    )
    .default([]),
  /** Of the Evaluation; empty where it has none. */
  description: z.string(),
  order: z.enum(['random-blocks', 'sequential']),
  /** Whether the User Agents of a Round began every page together, and not its start alone. */
  isInStep: z.boolean().default(false),
  /** Its viewport is the baseline's. */
  pageLoad: PageLoadRulesSchema,
  /** Whether a Block went before the others that is in no figure. */
  warmUp: z.boolean(),
  userAgents: z.array(
    z.object({
      name: z.string(),
      engine: z.string(),
      host: z.string(),
      userClass: z.string().nullable(),
      visitsPerUrl: z.number().int(),
      restMs: RestSchema,
      startOffsetMs: z.number(),
    }),
  ),
  /** Of the entries of URL lists with `visits`: the factor, how many pages have it, and the label of the first. */
  repeatedPages: z
    .array(z.object({ visits: z.number().int(), pages: z.number().int(), first: z.string() }))
    .default([]),
  /** What else was recorded of Visits, of whom, and of whom not, a sentence each without its full stop. */
  artefacts: z.array(z.string()).default([]),
  /** What loaded the pages of the counted Rounds, such as `Chrome/140.0.7339.80`, and where; more than one of an engine where it was updated meanwhile. Empty where that was not kept. */
  engineVersions: z.array(z.object({ host: z.string(), version: z.string() })),
  /** By which version of HTTP, by its name in ALPN, the objects of the Visits that count came, the most frequent first. Empty where that was not kept. */
  httpVersions: z.array(z.object({ scenario: z.string(), version: z.string(), objects: z.number().int() })),
  /** Rounds that were given up and measured again, the first 200 of them. */
  brokenRounds: z.array(
    z.object({
      block: z.number().int(),
      scenario: z.string(),
      attempt: z.number().int(),
      problem: z.string().nullable(),
    }),
  ),
  brokenRoundsInAll: z.number().int(),
  /** What the emulated link was measured to do before the counted Rounds of a Scenario, by figure; empty without an emulated link. */
  linkChecks: z.array(
    z.object({
      scenario: z.string(),
      profile: z.string(),
      segment: LinkFindingSchema.shape.segment,
      figure: LinkFindingSchema.shape.figure,
      unit: LinkFindingSchema.shape.unit,
      /** Rounds whose check measured it. */
      rounds: z.number().int(),
      expected: z.number(),
      /** Over those Rounds; null when none measured it. */
      mean: z.number().nullable(),
      smallest: z.number().nullable(),
      largest: z.number().nullable(),
      /** Checks that were outside of the profile's bounds. */
      outside: z.number().int(),
    }),
  ),
  /** What it then did during those Rounds, where it counts something: capacity on demand, background load. */
  networkFigures: z.array(NetworkDuringSchema).default([]),
  /** The tunnel of each Scenario that has one, as it was in the last counted Round. */
  tunnels: z.array(z.object({ scenario: z.string(), ...TunnelRecordSchema.shape })).default([]),
});
export type RunMethod = z.infer<typeof RunMethodSchema>;

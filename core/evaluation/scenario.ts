import { z } from 'zod';
import { BrowserSettingsSchema } from './browser-settings.ts';
import { NameSchema } from './name.ts';
import { NetworkSchema } from './network.ts';
import { durationMs } from './units.ts';

/** A script that the Agent of a host runs with `sh -e`, where that Agent's operator allowed scripts. */
export const ScriptSchema = z.strictObject({
  host: NameSchema,
  script: z.string({ error: 'must be a shell script' }).min(1, 'must not be empty').max(100_000, 'must have at most 100 000 characters'),
  timeoutMs: durationMs({ min: 100, max: 3_600_000 }).default(60_000),
});

/** The conditions of one arm of the comparison. */
export const ScenarioSchema = z.strictObject({
  name: NameSchema,
  description: z.string().max(4000, 'must have at most 4000 characters').default(''),
  baseline: z.boolean({ error: 'must be true or false' }).default(false),
  browser: BrowserSettingsSchema.prefault({}),
  network: NetworkSchema.optional(),
  setUp: z.array(ScriptSchema).max(32, 'must have at most 32 scripts').default([]),
  tearDown: z.array(ScriptSchema).max(32, 'must have at most 32 scripts').default([]),
});

export type Script = z.infer<typeof ScriptSchema>;
export type Scenario = z.infer<typeof ScenarioSchema>;

import { z } from 'zod';
import { BrowserSettingsSchema } from '../browser/browser-settings.ts';
import { HttpepSchema } from '../network/httpep.ts';
import { NameSchema } from '../name.ts';
import { NetworkSchema } from '../network/network.ts';
import { ScenarioProcessSchema } from './scenario-process.ts';
import { durationMs } from '../units.ts';
import { VariablesSchema } from '../pages/variables.ts';

/** A script that the Agent of a host runs with `sh -e`, where that Agent's operator allowed scripts. */
export const ScriptSchema = z.strictObject({
  host: NameSchema.describe('The Agent that runs it.'),
  script: z
    .string({ error: 'must be a shell script' })
    .min(1, 'must not be empty')
    .max(100_000, 'must have at most 100 000 characters')
    .describe('A shell script, run by `sh -e`.'),
  timeoutMs: durationMs({ min: 100, max: 3_600_000 })
    .default(60_000)
    .describe('It is ended after this time, and counts as failed.'),
});

/** The conditions of one arm of the comparison. */
export const ScenarioSchema = z.strictObject({
  name: NameSchema.describe('Shown in every table and figure.'),
  description: z
    .string()
    .max(4000, 'must have at most 4000 characters')
    .default('')
    .describe('What it is for, in your words.'),
  baseline: z
    .boolean({ error: 'must be true or false' })
    .default(false)
    .describe('Whether the other Scenarios, or those of its group, are compared with this one.'),
  group: NameSchema.optional().describe(
    'Scenarios of a group are compared with the baseline of the group. If one Scenario has a group, all must.',
  ),
  userAgents: z
    .array(NameSchema, { error: 'must be a list of names of User Agents' })
    .min(1, 'must name at least one User Agent')
    .optional()
    .describe(
      'The User Agents that load pages under it; all unless given. A copy of another Scenario with one of them shows what the others cost it.',
    ),
  variables: VariablesSchema.optional().describe(
    'Values by name. `{name}` in a URL is replaced by the value, so that one page has another address in each Scenario.',
  ),
  browser: BrowserSettingsSchema.prefault({}).describe(
    'Settings of the browser. A setting that an engine does not have is an error, which lists the engines that have it.',
  ),
  network: NetworkSchema.optional().describe('The emulated network. If one Scenario has it, all must.'),
  httpep: HttpepSchema.optional().describe(
    'HTTPEP between users and origins. HTTP-AE starts both ends for each Round, and its remote end is the proxy of the browsers.',
  ),
  setUp: z
    .array(ScriptSchema)
    .max(32, 'must have at most 32 scripts')
    .default([])
    .describe('Scripts to run before each Round.'),
  afterNetwork: z
    .array(ScriptSchema)
    .max(32, 'must have at most 32 scripts')
    .default([])
    .describe('Scripts to run before each Round, once the emulated network is set.'),
  processes: z
    .array(ScenarioProcessSchema)
    .max(32, 'must have at most 32 processes')
    .default([])
    .describe(
      'Programs that run during each Round, such as a proxy. They start after the network and its scripts. One that ends breaks the Round.',
    ),
  tearDown: z
    .array(ScriptSchema)
    .max(32, 'must have at most 32 scripts')
    .default([])
    .describe('Scripts to run after each Round, even if it failed.'),
});

export type Script = z.infer<typeof ScriptSchema>;
export type Scenario = z.infer<typeof ScenarioSchema>;

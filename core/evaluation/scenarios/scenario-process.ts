import { z } from 'zod';
import { NameSchema } from '../name.ts';
import { durationMs, wholeNumber } from '../units.ts';
import { VariableNameSchema } from '../pages/variables.ts';

/** When a process is ready: it accepts connections, answers a request, or has printed a text. */
export const ReadyWhenSchema = z.union(
  [
    z.strictObject({
      port: wholeNumber({ min: 1, max: 65_535 }).describe('It accepts connections at this TCP port.'),
      address: z.union([z.ipv4(), z.ipv6()]).default('127.0.0.1').describe('The address of the port.'),
    }),
    z.strictObject({
      http: z
        .string({ error: 'must be a URL' })
        .max(2000, 'must have at most 2000 characters')
        .refine(isHttpUrl, 'must be an http or https URL')
        .describe('This URL answers with a status below 500.'),
    }),
    z.strictObject({
      line: z
        .string()
        .min(1, 'must not be empty')
        .max(500, 'must have at most 500 characters')
        .describe('It has printed this text.'),
    }),
  ],
  'must be one of { port: 3128 }, { http: "http://127.0.0.1:3128/" } and { line: "text that it prints" }',
);
export type ReadyWhen = z.infer<typeof ReadyWhenSchema>;

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
}

const EnvironmentSchema = z
  .record(
    VariableNameSchema,
    z
      .string()
      .max(10_000, 'must have at most 10 000 characters')
      .regex(/^[^\0]*$/, 'must have no zero character'),
    {
      error: 'must be a mapping of names to texts',
    },
  )
  .refine((variables) => Object.keys(variables).length <= 100, 'must have at most 100 variables');

/** A program that runs on a host during the Rounds of a Scenario, such as a proxy. Its Agent's operator must allow scripts. */
export const ScenarioProcessSchema = z.strictObject({
  name: NameSchema.describe('Shown with its output.'),
  host: NameSchema.describe('The Agent that runs it.'),
  command: z
    .string({ error: 'must be a shell command' })
    .min(1, 'must not be empty')
    .max(10_000, 'must have at most 10 000 characters')
    .regex(/^[^\0]*$/, 'must have no zero character')
    .describe('A shell command that stays in the foreground, run by `sh -c`.'),
  readyWhen: ReadyWhenSchema.optional().describe('When it is ready: one of these. Without it, once it is started.'),
  environment: EnvironmentSchema.default({}).describe('Environment variables, besides those of its Agent.'),
  timeoutMs: durationMs({ min: 100, max: 600_000 }).default(30_000).describe('It must be ready within this time.'),
  lifetime: z
    .enum(['round', 'run'], { error: 'must be "round" or "run"' })
    .default('round')
    .describe(
      '`round`: started for each Round. `run`: kept from the first Round of the Scenario to the end of the Run.',
    ),
});
export type ScenarioProcess = z.infer<typeof ScenarioProcessSchema>;

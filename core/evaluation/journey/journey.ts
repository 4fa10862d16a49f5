import { z } from 'zod';
import { wholeNumber } from '../units.ts';
import { JourneyStepSchema, readNavigation, type JourneyStep } from './journey-step.ts';

const mostSteps = 200;
const mostCharacters = 200_000;
const longestTitle = 100;

/** Steps of one user in one tab, as Chrome’s Recorder exports them. Each navigation is a Visit. */
export const JourneySchema = z
  .strictObject({
    title: z
      .string({ error: 'must be a text' })
      .min(1, 'must not be empty')
      .max(longestTitle, `must have at most ${longestTitle} characters`)
      .regex(/^[^\p{Cc}]*$/u, 'must be a single line')
      .describe('The name of the journey in reports.'),
    timeout: wholeNumber({ min: 1, max: 60_000 })
      .default(5000)
      .describe('How long a step waits for its element, or for the beginning of its navigation, in ms.'),
    selectorAttribute: z
      .string()
      .max(200, 'must have at most 200 characters')
      .optional()
      .describe('Of the Recorder. It has no effect.'),
    steps: z
      .array(JourneyStepSchema, { error: 'must be a list of steps' })
      .min(1, 'must have at least one step')
      .max(mostSteps, `must have at most ${mostSteps} steps`)
      .describe('What the user does, one after the other.'),
  })
  .superRefine(({ steps }, context) => {
    const first = steps.findIndex((step) => step.type !== 'setViewport');
    if (steps[first]?.type !== 'navigate')
      context.addIssue({
        code: 'custom',
        path: ['steps', Math.max(0, first)],
        message: 'must be "navigate": a journey begins with it, after "setViewport" at most',
      });
    const [early] = steps.slice(0, first).flatMap((step, index) => (readNavigation(step) === null ? [] : [index]));
    if (early !== undefined)
      context.addIssue({
        code: 'custom',
        path: ['steps', early, 'assertedEvents'],
        message: 'must be left out before the first "navigate"',
      });
    if (JSON.stringify(steps).length > mostCharacters)
      context.addIssue({
        code: 'custom',
        path: ['steps'],
        message: `must have at most ${mostCharacters} characters together`,
      });
  });

export type Journey = z.infer<typeof JourneySchema>;

export const NumberedStepSchema = z.object({
  /** Its place in the journey, from 1. */
  number: z.number().int().positive(),
  timeoutMs: z.number().int().positive(),
  step: JourneyStepSchema,
});
export type NumberedStep = z.infer<typeof NumberedStepSchema>;

/** One navigation of a journey, and what the user does on the page that it leads to: one Visit. */
export const JourneyLegSchema = z.object({
  /** From 1. */
  number: z.number().int().positive(),
  of: z.number().int().positive(),
  /** Of these, the last one navigates. */
  lead: z.array(NumberedStepSchema).min(1),
  /** None of these navigates. */
  steps: z.array(NumberedStepSchema),
});
export type JourneyLeg = z.infer<typeof JourneyLegSchema>;

/** A leg with the address that its navigation led to in the recording: where it has none, that of the page before. */
export interface PlannedLeg {
  leg: JourneyLeg;
  address: string;
  title: string | null;
}

/** The legs of a journey, in order: as many as its steps name navigations, in every Scenario alike. */
export function splitJourney({ steps, timeout }: Pick<Journey, 'steps' | 'timeout'>): PlannedLeg[] {
  const legs: { lead: NumberedStep[]; steps: NumberedStep[]; address: string; title: string | null }[] = [];
  const ahead: NumberedStep[] = [];
  for (const [index, step] of steps.entries()) {
    const numbered = { number: index + 1, timeoutMs: step.timeout ?? timeout, step };
    const navigation = readNavigation(step);
    const last = legs.at(-1);
    if (navigation)
      legs.push({
        lead: [...ahead.splice(0), numbered],
        steps: [],
        address: navigation.url ?? last?.address ?? '',
        title: navigation.title ?? null,
      });
    else (last?.steps ?? ahead).push(numbered);
  }
  return legs.map(({ lead, steps: own, address, title }, index) => ({
    leg: { number: index + 1, of: legs.length, lead, steps: own },
    address,
    title,
  }));
}

/** The User Timing mark that a leg sets last, which ends what is measured of it; undefined where it sets none. */
export function lastMarkOf({ steps }: Pick<JourneyLeg, 'steps'>): string | undefined {
  return steps
    .map(({ step }: { step: JourneyStep }) => (step.type === 'customStep' ? step.parameters.name : undefined))
    .findLast((name) => name !== undefined);
}

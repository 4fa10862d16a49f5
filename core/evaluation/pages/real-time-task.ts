import { z } from 'zod';
import { untilTaskEnds } from './page-mark.ts';
import { wholeNumber } from '../units.ts';

export const taskNames = ['server-update', 'client-update', 'chat'] as const;

export const techniques = ['long-polling', 'sse', 'websocket'] as const;

/** What a task takes at most: a page is to end, and an origin to remember it until then. */
export const taskBounds = {
  messages: { min: 1, max: 1000 },
  payloadBytes: { min: 1, max: 100_000 },
  gapMs: { min: 0, max: 60_000 },
  lateAfterMs: { min: 1, max: 60_000 },
} as const;

// With the first fault the union has only its own message.
const Variable = z.string().regex(/^\{[A-Za-z_]\w{0,39}\}$/, { abort: true });
const orVariable = <Schema extends z.ZodType>(schema: Schema, what: string) =>
  z.union([schema, Variable], { error: `must be ${what}, or a variable of the Scenario, such as "{by}"` });
const whole = ({ min, max }: { min: number; max: number }) =>
  orVariable(wholeNumber({ min, max }), `a whole number from ${min} to ${max}`);

/** An exchange of the real-time web with HTTP-AE's origin: short for the address of its page, and for what ends it. */
export const RealTimeTaskSchema = z.strictObject({
  task: orVariable(z.enum(taskNames), taskNames.join(', ')).describe(
    'Instead of `url`: an exchange of messages with an origin of HTTP-AE. The Visit lasts until its end.',
  ),
  by: orVariable(z.enum(techniques), techniques.join(', ')).describe('How the messages of a task travel.'),
  origin: z
    .string()
    .regex(
      /^(https?:\/\/|\{)[^/?#]+\/?$/,
      'must be the address of an origin of HTTP-AE, such as "http://198.19.0.1:8080"',
    )
    .describe('The origin of a task, such as `http://198.19.0.1:8080`.'),
  messages: whole(taskBounds.messages).default(100).describe('How many messages a task has; in a chat, each way.'),
  payloadBytes: whole(taskBounds.payloadBytes).default(100).describe('The text in each message of a task.'),
  gapMs: whole(taskBounds.gapMs).default(200).describe('The mean time between two messages of a task.'),
  lateAfterMs: whole(taskBounds.lateAfterMs)
    .optional()
    .describe('A message of a task that took longer counts as late. Without it, 1000.'),
});

/** The entry of a URL list that a task stands for. */
export function expandTask({
  origin,
  task,
  by,
  messages,
  payloadBytes,
  gapMs,
  lateAfterMs,
}: z.output<typeof RealTimeTaskSchema>): { url: string; until: string } {
  // Pages of Evaluations that do not have it keep their addresses.
  const late = lateAfterMs === undefined ? '' : `&lateAfterMs=${lateAfterMs}`;
  const query = `by=${by}&messages=${messages}&payloadBytes=${payloadBytes}&gapMs=${gapMs}${late}`;
  return { url: `${origin.replace(/\/$/, '')}/task/${task}?${query}`, until: untilTaskEnds };
}

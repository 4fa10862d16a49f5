import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import { taskBounds, taskNames, techniques } from '#core/evaluation/pages/real-time-task.ts';
import { wholeNumber } from '#core/evaluation/units.ts';

const numberIn = ({ min, max }: { min: number; max: number }, fallback: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .pipe(wholeNumber({ min, max }))
    .default(fallback);

const TaskOptionsSchema = z.object({
  task: z.enum(taskNames),
  by: z.enum(techniques, { error: `must be one of ${techniques.join(', ')}` }),
  messages: numberIn(taskBounds.messages, 100),
  payloadBytes: numberIn(taskBounds.payloadBytes, 100),
  gapMs: numberIn(taskBounds.gapMs, 200),
  /** A message that takes longer is late. A second is about how long people wait without noticing that they do (Nielsen 1993, chapter 5). */
  lateAfterMs: numberIn(taskBounds.lateAfterMs, 1000),
});

export type TaskOptions = z.output<typeof TaskOptionsSchema>;

/** Throws `invalid-input` that names each parameter and what is wrong with it. */
export function readTaskOptions(task: string, search: URLSearchParams): TaskOptions {
  const result = TaskOptionsSchema.safeParse({ ...Object.fromEntries(search), task });
  if (result.success) return result.data;
  const faults = result.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
  throw new AppError('invalid-input', `The task is invalid: ${faults.join('; ')}`);
}

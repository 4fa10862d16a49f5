import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import { taskBounds } from '#core/evaluation/pages/real-time-task.ts';
import type { Task } from './task.ts';

const PageMessageSchema = z.object({
  number: z.number().int().min(1).max(taskBounds.messages.max),
  payload: z.string().max(taskBounds.payloadBytes.max),
});

/** With room for what is around the payload. */
export function largestMessageBytes({ options }: Task): number {
  return options.payloadBytes + 1000;
}

/** A message of the page: a chat answers it. Gives its number. Throws `invalid-input`. */
export function takeMessage(task: Task, text: string): number {
  const message = PageMessageSchema.safeParse(parse(text));
  if (!message.success) throw new AppError('invalid-input', 'A message must be {"number": 1, "payload": "…"}');
  const { number } = message.data;
  if (task.options.task === 'chat') task.publish(number);
  return number;
}

/** Undefined for what is no JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

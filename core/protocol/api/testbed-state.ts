import { z } from 'zod';

/** The testbed that the Controller starts on its own machine, when a person asks for it. */
export const TestbedStateSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('unavailable'), reason: z.string() }),
  /** `reason`: why the last one ended; null where none failed. */
  z.object({ kind: z.literal('off'), reason: z.string().nullable() }),
  /** `step`: what it does just now; empty before it has said anything. */
  z.object({ kind: z.literal('starting'), step: z.string() }),
  z.object({ kind: z.literal('on') }),
]);
export type TestbedState = z.infer<typeof TestbedStateSchema>;

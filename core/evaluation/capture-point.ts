import { z } from 'zod';
import { CaptureFilterSchema } from './capture-filter.ts';
import { SnapBytesSchema } from './capture.ts';
import { NameSchema } from './name.ts';
import { InterfaceSchema } from './user-identity.ts';

/** Where packets are captured without a User Agent, such as at a proxy or at the far end of the link: in every Round, from before its start to its end. */
export const CapturePointSchema = z.strictObject({
  name: NameSchema,
  /** The name of the Agent that captures. */
  host: NameSchema,
  interface: InterfaceSchema,
  filter: CaptureFilterSchema.default(''),
  /** Left out, it is that of `capture`. */
  snapBytes: SnapBytesSchema.optional(),
});

export type CapturePoint = z.infer<typeof CapturePointSchema>;

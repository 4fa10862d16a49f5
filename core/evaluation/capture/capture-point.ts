import { z } from 'zod';
import { CaptureFilterSchema } from './capture-filter.ts';
import { SnapBytesSchema } from './capture-settings.ts';
import { NameSchema } from '../name.ts';
import { InterfaceSchema } from '../users/user-identity.ts';

/** Where packets are captured without a User Agent, such as at a proxy or at the far end of the link: in every Round, from before its start to its end. */
export const CapturePointSchema = z.strictObject({
  name: NameSchema.describe('Shown in every table and figure.'),
  host: NameSchema.describe('The Agent that captures.'),
  interface: InterfaceSchema.describe('The network interface.'),
  filter: CaptureFilterSchema.default('').describe('Which packets, in the language of pcap-filter(7). Empty: all.'),
  snapBytes: SnapBytesSchema.optional().describe(
    'The bytes of each packet that are kept. Without it, `capture.snapBytes`.',
  ),
});

export type CapturePoint = z.infer<typeof CapturePointSchema>;

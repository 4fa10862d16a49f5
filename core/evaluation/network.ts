import { z } from 'zod';
import { LinkProfileInputSchema } from './link-profile-input.ts';
import { NameSchema } from './name.ts';
import { TcpSettingsSchema } from './tcp-settings.ts';

/** The emulated network of a Scenario: set before each of its Rounds by the Agent that holds the testbed, and checked. */
export const NetworkSchema = z.strictObject({
  /** The name of the Agent that holds the testbed. */
  host: NameSchema.default('testbed'),
  link: LinkProfileInputSchema,
  /** Share of the link by user class, at the bottleneck; `{ gold: 0.5, silver: 0.3, bronze: 0.2 }`. Without it users compete freely. */
  classes: z
    .record(NameSchema, z.number({ error: 'must be a share, such as 0.5' }).positive('must be above 0'))
    .refine((shares) => Object.keys(shares).length > 0, 'must name at least one user class')
    .optional(),
  tcp: z.strictObject({ ground: TcpSettingsSchema.optional(), remote: TcpSettingsSchema.optional() }).prefault({}),
});

export type Network = z.infer<typeof NetworkSchema>;

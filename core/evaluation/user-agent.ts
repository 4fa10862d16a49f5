import { z } from 'zod';
import { NameSchema } from './name.ts';
import { InterfaceSchema, OsUserSchema, SourceAddressSchema } from './user-identity.ts';

/** What loads the page for a User Agent. */
export const engineNames = ['chrome', 'firefox', 'http', 'extension'] as const;
export const EngineSchema = z.enum(engineNames, { error: (issue) => `must be "chrome", "firefox", "http" or "extension", not ${JSON.stringify(issue.input)}` });
export type Engine = z.infer<typeof EngineSchema>;

/** Who a User Agent is on its host and on the network. */
export const UserIdentityFields = {
  /** The OS user that the browser runs as; the Agent of that host must be root. */
  osUser: OsUserSchema.optional(),
  /** Where its requests come from: the packets that `osUser` sends by `interface` get this source address. Without an `osUser` it is the only address that the host has there. */
  sourceAddress: SourceAddressSchema.optional(),
  /** The interface that its traffic leaves by; left out, it is the one that has `sourceAddress`. */
  interface: InterfaceSchema.optional(),
};

/** One simulated user. */
export const UserAgentSchema = z.strictObject({
  name: NameSchema,
  /** The name of the Agent that runs it. */
  host: NameSchema,
  engine: EngineSchema.default('chrome'),
  /** The name of its URL list. */
  urlList: NameSchema,
  /** The user class that its results are grouped by, such as gold, silver or bronze. */
  userClass: NameSchema.optional(),
  ...UserIdentityFields,
});

export type UserAgent = z.infer<typeof UserAgentSchema>;

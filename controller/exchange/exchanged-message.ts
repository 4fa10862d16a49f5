import { z } from 'zod';
import { AgentMessageSchema, ControllerMessageSchema } from '#core/protocol/agent-messages.ts';
import { HostFactsSchema } from '#core/protocol/host-facts.ts';

const agent = z.string();
/** The number of the line that it is about: what is for an earlier line of the Agent is void. */
const line = z.int().nonnegative();

/** What one Controller has for another. */
export const ExchangedMessageSchema = z.discriminatedUnion('kind', [
  /** To be sent to an Agent that is connected there. */
  z.object({ kind: z.literal('order'), agent, line, message: ControllerMessageSchema }),
  /** An Agent of a Run that the other one owns has connected. */
  z.object({
    kind: z.literal('line-began'),
    agent,
    line,
    facts: HostFactsSchema,
    passes: AgentMessageSchema.options[0].shape.passes,
  }),
  z.object({ kind: z.literal('line-ended'), agent, line }),
  /** An Agent said something that concerns its Run. */
  z.object({ kind: z.literal('said'), agent, message: AgentMessageSchema }),
  /** Visits of an Agent were stored: of each, its Pass. */
  z.object({ kind: z.literal('stored'), agent, passIds: z.array(z.uuid()), isRefused: z.boolean() }),
]);
export type ExchangedMessage = z.infer<typeof ExchangedMessageSchema>;

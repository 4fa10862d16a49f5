import type { z } from 'zod';
import { AgentMessageSchema, type AgentMessage } from './agent-messages.ts';

/** What somebody sent over a line; null where it is no JSON, or no message of the protocol. */
export function readMessage<Schema extends z.ZodType>(schema: Schema, text: string): z.infer<Schema> | null {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return null;
  }
  return schema.safeParse(json).data ?? null;
}

const decoder = new TextDecoder();

export type ParsedMessage = { kind: 'message'; message: AgentMessage } | { kind: 'problem'; problem: string };

/** What an Agent sent, or why it is no message of the protocol. */
export function parseAgentMessage(json: Uint8Array): ParsedMessage {
  let parsed: unknown;
  try {
    parsed = JSON.parse(decoder.decode(json));
  } catch (error) {
    return { kind: 'problem', problem: (error as Error).message };
  }
  const { data: message, error } = AgentMessageSchema.safeParse(parsed);
  if (message) return { kind: 'message', message };
  const issue = error.issues[0];
  return { kind: 'problem', problem: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}` };
}

import type { z } from 'zod';
import { type AgentMessage, AgentMessageSchema } from './agent-messages.ts';

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

/** What an Agent sent, or why it is no message of the protocol. `parse`: reads JSON, and leaves out of its texts what cannot be stored. */
export function parseAgentMessage(json: Uint8Array, parse: (text: string) => unknown): ParsedMessage {
  let parsed: unknown;
  try {
    parsed = parse(decoder.decode(json));
  } catch (error) {
    return { kind: 'problem', problem: (error as Error).message };
  }
  const { data: message, error } = AgentMessageSchema.safeParse(parsed);
  if (message) return { kind: 'message', message };
  const issue = error.issues[0];
  return { kind: 'problem', problem: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}` };
}

/**
 * A message with bytes beside it, as a binary message of a WebSocket: the length of its JSON in four bytes, big-endian, then that JSON, then the bytes. Of Visits these are
 * their Snapshots, in order. A message without any is text.
 */
export function writeFrame(message: AgentMessage, attached: readonly Uint8Array[]): string | Uint8Array<ArrayBuffer> {
  const json = JSON.stringify(message);
  if (attached.length === 0) return json;
  const text = new TextEncoder().encode(json);
  const frame = new Uint8Array(4 + text.length + attached.reduce((sum, { length }) => sum + length, 0));
  new DataView(frame.buffer).setUint32(0, text.length);
  frame.set(text, 4);
  let at = 4 + text.length;
  for (const bytes of attached) {
    frame.set(bytes, at);
    at += bytes.length;
  }
  return frame;
}

/** A frame as it came: its JSON, which is not decoded yet, and the bytes beside it. */
export interface SplitFrame {
  json: Uint8Array<ArrayBuffer>;
  attached: Uint8Array<ArrayBuffer>;
}

/** The two parts of a frame, without a copy; null where it is none. */
export function splitFrame(frame: Uint8Array<ArrayBuffer>): SplitFrame | null {
  if (frame.length < 4) return null;
  const textLength = new DataView(frame.buffer, frame.byteOffset).getUint32(0);
  if (textLength > frame.length - 4) return null;
  return { json: frame.subarray(4, 4 + textLength), attached: frame.subarray(4 + textLength) };
}

/** The text of a frame and the bytes beside it; null where it is none. */
export function readFrame(frame: Uint8Array<ArrayBuffer>): { text: string; attached: Uint8Array<ArrayBuffer> } | null {
  const split = splitFrame(frame);
  return split && { text: new TextDecoder().decode(split.json), attached: split.attached };
}

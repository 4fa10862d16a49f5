import fc from 'fast-check';
import { z } from 'zod';
import { AgentMessageSchema, ControllerMessageSchema, type AgentMessage } from '#core/protocol/agent-messages.ts';
import { readFrame, readMessage, writeFrame } from '#core/protocol/read-message.ts';
import { editText, textEdits, TextEditSchema } from '../support/edits.ts';
import type { FuzzTarget } from '../support/fuzz-target.ts';
import { mustEqual, wordIssues } from '../support/promises.ts';
import { arbitraryOf } from '../support/schema-arbitrary.ts';

const schemas = { agent: AgentMessageSchema, controller: ControllerMessageSchema };
const InputSchema = z.strictObject({
  from: z.enum(['agent', 'controller']),
  message: z.json(),
  edits: z.array(TextEditSchema).max(8),
});
type Input = z.infer<typeof InputSchema>;

/** What Agents and the Controller send each other over their line. */
export const target: FuzzTarget<Input> = {
  schema: InputSchema,
  arbitrary: fc.oneof(
    ...(['agent', 'controller'] as const).map((from) =>
      fc.record({ from: fc.constant(from), message: arbitraryOf(schemas[from]), edits: textEdits }),
    ),
  ) as fc.Arbitrary<Input>,
  run({ from, message, edits }) {
    const schema = schemas[from];
    const text = editText(JSON.stringify(message), edits);
    const read = readMessage<typeof schema>(schema, text);
    if (read === null) return wordRefusal(schema, text);
    mustEqual(
      readMessage<typeof schema>(schema, JSON.stringify(read)),
      read,
      'a message that was read and is sent on is read as the same',
    );
    if (from === 'agent') {
      const frame = readFrame(writeFrame(read as AgentMessage, [new Uint8Array(1)]) as Uint8Array<ArrayBuffer>);
      mustEqual(frame, { text: JSON.stringify(read), attached: new Uint8Array(1) }, 'a frame that was written is read');
    }
    return [`${from} ${read.type}`];
  },
};

function wordRefusal(schema: z.ZodType, text: string): string[] {
  try {
    return wordIssues(schema.safeParse(JSON.parse(text)).error);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return ['not JSON'];
  }
}

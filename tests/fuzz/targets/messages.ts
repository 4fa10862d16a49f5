import fc from 'fast-check';
import { z } from 'zod';
import { AgentMessageSchema, ControllerMessageSchema } from '#core/protocol/agent-messages.ts';
import { asStorable } from '#core/protocol/as-storable.ts';
import { readMessage } from '#core/protocol/read-message.ts';
import { editText, textEdits, TextEditSchema } from '../support/edits.ts';
import type { FuzzTarget } from '../support/fuzz-target.ts';
import { must, mustEqual, wordIssues } from '../support/promises.ts';
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
    if (read.type === 'visits')
      for (const { outcome } of read.visits)
        must(asStorable(outcome) === outcome, 'what a message may hold can be stored');
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

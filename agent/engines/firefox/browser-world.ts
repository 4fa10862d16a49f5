import { z } from 'zod';
import type { BidiConnection } from './bidi-connection.ts';

/** Lets the one who drives the browser into its own world. */
export const systemAccessFlag = '--remote-allow-system-access';

const TreeSchema = z.object({ contexts: z.array(z.object({ context: z.string() })).min(1) });
const ResultSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('success') }),
  z.object({ type: z.literal('exception'), exceptionDetails: z.object({ text: z.string() }) }),
]);

type LocalValue = { type: 'string' | 'number'; value: string | number } | { type: 'array'; value: LocalValue[] };

/** Calls a function, given as text, where the browser's own scripts run. Needs `systemAccessFlag`. */
export async function callInBrowser(
  connection: BidiConnection,
  { text, args = [] }: { text: string; args?: LocalValue[] },
): Promise<void> {
  const { contexts } = TreeSchema.parse(
    await connection.send('browsingContext.getTree', { 'moz:scope': 'chrome', maxDepth: 0 }),
  );
  const result = ResultSchema.parse(
    await connection.send('script.callFunction', {
      functionDeclaration: text,
      target: { context: contexts[0]!.context },
      arguments: args,
      awaitPromise: false,
    }),
  );
  if (result.type === 'exception') throw new Error(`The browser's own world: ${result.exceptionDetails.text}`);
}

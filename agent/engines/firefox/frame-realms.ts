import { z } from 'zod';
import { askPageFirst, listAnswers } from '#core/agent/frame-answers.ts';
import { unlessAborted } from '#core/waiting.ts';
import { ProbeError } from '../browser/collected-frames.ts';
import type { BidiConnection } from './bidi-connection.ts';

/** The sandbox that the probe lives in: it sees the page's objects as the browser has them, and the page does not see it. */
export const probeSandbox = 'http-ae';

/** The probe's sandbox in one frame. */
export interface FrameRealm {
  connection: BidiConnection;
  contextId: string;
}

/** Likewise, with the address of its document. */
export interface FoundRealm extends FrameRealm {
  url: string;
}

interface Context {
  context: string;
  url: string;
  children?: Context[] | null | undefined;
}

const ContextSchema: z.ZodType<Context> = z.lazy(() =>
  z.object({ context: z.string(), url: z.string(), children: z.array(ContextSchema).nullish() }),
);
const TreeSchema = z.object({ contexts: z.array(ContextSchema) });

/** Of every frame that the page has now. */
export async function findFrameRealms(page: FrameRealm): Promise<FoundRealm[]> {
  const { contexts } = TreeSchema.parse(
    await page.connection.send('browsingContext.getTree', { root: page.contextId }),
  );
  return contexts
    .flatMap(listContexts)
    .map(({ context: contextId, url }) => ({ connection: page.connection, contextId, url }));
}

function listContexts(context: Context): Context[] {
  return [context, ...(context.children ?? []).flatMap(listContexts)];
}

const ResultSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('success'), result: z.unknown() }),
  z.object({
    type: z.literal('exception'),
    exceptionDetails: z.object({
      text: z.string(),
      lineNumber: z.number().optional(),
      stackTrace: z
        .object({ callFrames: z.array(z.object({ functionName: z.string(), lineNumber: z.number() })) })
        .nullish(),
    }),
  }),
]);

/** Evaluates an expression in the probe's sandbox and gives its value in the form of BiDi: parse it. */
export async function evaluateRemote(
  { connection, contextId }: FrameRealm,
  call: { expression: string; serializationOptions?: object },
): Promise<unknown> {
  const target = { context: contextId, sandbox: probeSandbox };
  const answer = ResultSchema.parse(await connection.send('script.evaluate', { ...call, target, awaitPromise: true }));
  if (answer.type === 'exception') throw new ProbeError(describeException(answer.exceptionDetails));
  return answer.result;
}

function describeException({
  text,
  lineNumber,
  stackTrace,
}: {
  text: string;
  lineNumber?: number | undefined;
  stackTrace?: { callFrames: { functionName: string; lineNumber: number }[] } | null | undefined;
}): string {
  const [first] = stackTrace?.callFrames ?? [];
  const line = first?.lineNumber ?? lineNumber;
  const place = line === undefined ? '' : ` (${first?.functionName ? `${first.functionName}, ` : ''}line ${line})`;
  return `${text}${place}`;
}

const TextSchema = z.object({ type: z.literal('string'), value: z.string() });

/** Evaluates an expression in the probe's sandbox and gives its value, which is any JSON: parse it. */
export async function evaluateIn(realm: FrameRealm, expression: string): Promise<unknown> {
  const { value } = TextSchema.parse(
    await evaluateRemote(realm, {
      expression: `Promise.resolve(${expression}).then((value) => JSON.stringify(value ?? null))`,
    }),
  );
  return JSON.parse(value);
}

/** What the page and those of its frames answer that do. */
export async function askFrames(
  page: FrameRealm,
  { expression, signal }: { expression: string; signal: AbortSignal },
): Promise<unknown[]> {
  return askPageFirst({
    page: () => evaluateIn(page, expression),
    frames: async (asking) => {
      const realms = await unlessAborted(findFrameRealms(page), asking);
      const within = realms.filter(({ contextId }) => contextId !== page.contextId);
      return listAnswers(
        within.map((realm) => () => evaluateIn(realm, expression)),
        asking,
      );
    },
    signal,
  });
}

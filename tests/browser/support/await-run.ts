import { RunDetailSchema, type RunDetail } from '#core/protocol/api/run.ts';
import type { Send } from '../../support/controller.ts';

/** The Controller, or its database, is away. */
export class RunUnreachableError extends Error {
  override readonly name = 'RunUnreachableError';
}

/** Follows a Run by its event stream until `isThere`, or until the stream ends. Throws RunUnreachableError when there is none. */
export async function awaitRun(
  send: Send,
  runId: string,
  isThere: (run: RunDetail) => boolean = () => false,
): Promise<RunDetail> {
  const leaving = new AbortController();
  const response = await send(`/api/runs/${runId}/events`, { signal: leaving.signal });
  if (response.status === 503) throw new RunUnreachableError(await response.text());
  let last: RunDetail | null = null;
  let text = '';
  try {
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const events = text.split('\n\n');
      text = events.pop()!;
      for (const event of events) {
        const data = event
          .split('\n')
          .flatMap((line) => (line.startsWith('data:') ? [line.slice(5)] : []))
          .join('\n');
        if (data) last = RunDetailSchema.parse(JSON.parse(data));
        if (last && isThere(last)) return last;
      }
    }
  } finally {
    leaving.abort();
  }
  if (!last) throw new RunUnreachableError(`Run ${runId} reported nothing`);
  return last;
}

import { z } from 'zod';
import { awaitedInVainMs } from '#core/metrics/settle-rule.ts';
import type { ActivityRecorder } from '#core/agent/page-activity/activity-recorder.ts';

/** As `ResourceEnd` of the probe. */
const EndsSchema = z.array(
  z.object({
    name: z.string(),
    startEpochMs: z.number(),
    endEpochMs: z.number(),
    status: z.number().optional(),
    receivedBytes: z.number(),
    decodedBytes: z.number(),
  }),
);

/** How far the start of a request may be from that of its entry. */
const sameStartMs = 100;

interface MissedEnds {
  recorder: ActivityRecorder;
  /** Evaluates an expression in every frame, and gives what they answered. */
  ask: (expression: string) => Promise<unknown[]>;
  nowEpochMs: () => number;
}

/** Takes from the page's timing entries the ends of requests that the browser has reported nothing of for two seconds: an entry is there once all has come. */
export async function findMissedEnds({ recorder, ask, nowEpochMs }: MissedEnds): Promise<void> {
  const now = nowEpochMs();
  recorder.apply({ kind: 'silence', atEpochMs: now });
  if (recorder.quietForMs < awaitedInVainMs) return;
  const overdue = recorder.awaited.filter(({ startEpochMs }) => now - startEpochMs >= awaitedInVainMs);
  if (overdue.length === 0) return;
  const answers = await ask(`globalThis.httpAeProbe?.listEnds(${JSON.stringify(overdue.map(({ url }) => url))})`);
  const ends = answers.flatMap((answer) => EndsSchema.safeParse(answer).data ?? []);
  for (const { id, url, startEpochMs, status } of overdue) {
    const [own, ...others] = ends.filter(
      (end) => end.name === url && Math.abs(end.startEpochMs - startEpochMs) < sameStartMs,
    );
    if (!own || others.length > 0) continue;
    // Of an answer that the browser has reported, it knows more.
    const isKnown = status === null && own.status;
    recorder.apply({
      kind: 'request-ended',
      id,
      end: {
        atEpochMs: own.endEpochMs,
        by: 'probe',
        failure: null,
        ...(isKnown && {
          receivedBytes: own.receivedBytes,
          fields: { status: own.status!, decodedBytes: own.decodedBytes },
        }),
      },
    });
  }
}

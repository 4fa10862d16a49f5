import { setTimeout as wait } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import { RunTrendSchema } from '#core/comparison/outcome/summarise-trend.ts';
import { RunLabelsSchema } from '#core/protocol/api/run-labels.ts';
import { sideOf, type ThresholdSide } from '#core/trend/judge-threshold.ts';
import type { Queryable } from '../database/queryable.ts';
import { claimCrossing, recordDelivery } from './threshold-sides.ts';

const lookEveryMs = 3000;
const defaultAnswerWithinMs = 5000;
/** The message stays small. */
const mostScenarios = 20;

/** What is read for a message. */
const CrossingSchema = z.object({
  evaluationId: z.string(),
  name: z.string(),
  labels: RunLabelsSchema,
  startedAt: z.date().transform((date) => date.toISOString()),
  threshold: z.number(),
  trend: RunTrendSchema,
});

/** Where the operator wants messages: WEBHOOK_URL, which no other user of the machine sees. Null without it. Throws `invalid-input`. */
export function readWebhookUrl({ WEBHOOK_URL: text }: NodeJS.ProcessEnv): string | null {
  if (!text) return null;
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new AppError(
      'invalid-input',
      'WEBHOOK_URL must be a complete http or https URL without a user name, such as https://hooks.example/http-ae',
    );
  return url.href;
}

interface SendOptions {
  pool: Pool;
  /** Of the operator alone: evaluators choose no address, so that they can reach nothing by way of the Controller. */
  webhookUrl: string;
  /** Where people reach the Controller. */
  url: string;
  /** 5 s unless given. */
  answerWithinMs?: number;
  log: Logger;
}

/** Posts a message for each completed Run that crosses the threshold of its Evaluation. What fails is tried again, a few times, and never touches a Run. */
export function sendCrossings(options: SendOptions): AsyncDisposable {
  const lifetime = new AbortController();
  const { signal } = lifetime;
  const isOver = () => signal.aborted;
  const work = async () => {
    while (!isOver()) {
      try {
        while (!isOver() && (await sendCrossing(options, signal)));
      } catch (error) {
        options.log.debug({ err: error }, 'Cannot look for messages to the webhook; trying again in 3 s');
      }
      await wait(lookEveryMs, undefined, { signal }).catch(() => undefined);
    }
  };
  const done = work();
  return {
    async [Symbol.asyncDispose]() {
      lifetime.abort();
      await done;
    },
  };
}

/** The next message that is due. False where there is none. */
export async function sendCrossing(
  { pool, webhookUrl, url, answerWithinMs = defaultAnswerWithinMs, log }: SendOptions,
  signal: AbortSignal,
): Promise<boolean> {
  const crossing = await claimCrossing(pool);
  if (!crossing) return false;
  const { runId } = crossing;
  const message = await describeCrossing(pool, { ...crossing, url });
  const problem =
    message === null ? 'its figures are gone' : await post(webhookUrl, message, { answerWithinMs, signal });
  if (signal.aborted) return false;
  // The address may hold a secret, so that nobody but the operator sees it.
  if (problem === null) log.info({ run: runId }, 'The webhook knows that the Run crossed its threshold');
  else log.warn({ run: runId, problem }, 'The webhook was not reached');
  await recordDelivery(pool, runId, problem);
  return true;
}

/** Returns why it failed; null if it was taken. */
async function post(
  webhookUrl: string,
  message: object,
  { answerWithinMs, signal }: { answerWithinMs: number; signal: AbortSignal },
): Promise<string | null> {
  try {
    const response = await fetch(webhookUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(message),
      // Another address was not named by the operator.
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(answerWithinMs)]),
    });
    await response.body?.cancel();
    return response.ok ? null : `it answered ${response.status}`;
  } catch (error) {
    if ((error as Error).name === 'TimeoutError') return `it did not answer within ${answerWithinMs / 1000} s`;
    const { code } = ((error as Error).cause ?? {}) as { code?: unknown };
    return typeof code === 'string' ? `no connection (${code})` : 'no connection';
  }
}

/** Null when the Run was deleted meanwhile. */
async function describeCrossing(
  db: Queryable,
  { runId, side, url }: { runId: string; side: ThresholdSide; url: string },
): Promise<object | null> {
  const { rows } = await db.query<Record<string, unknown>>(
    `select run.evaluation_id as "evaluationId", run.name, run.labels, run.started_at as "startedAt",
       (run.document -> 'trend' ->> 'threshold')::float8 as threshold, digest.trend
     from run join run_digest digest on digest.run_id = run.id where run.id = $1 and run.deleted_at is null`,
    [runId],
  );
  const found = CrossingSchema.safeParse(rows[0]);
  if (!found.success) return null;
  const { evaluationId, name, labels, startedAt, threshold, trend } = found.data;
  const scenarios = trend.scenarios.flatMap(({ scenario, reduction }) =>
    reduction
      ? [
          {
            scenario,
            reduction: reduction.ratio,
            low: reduction.low,
            high: reduction.high,
            side: sideOf(reduction, threshold),
          },
        ]
      : [],
  );
  return {
    event: 'threshold-crossed',
    side,
    threshold,
    metric: trend.metric,
    evaluation: { id: evaluationId, name, url: `${url}/evaluations/${evaluationId}?view=trend` },
    run: { id: runId, labels, startedAt, url: `${url}/runs/${runId}/comparison` },
    scenarios: scenarios.slice(0, mostScenarios),
    ...(scenarios.length > mostScenarios && { moreScenarios: scenarios.length - mostScenarios }),
  };
}

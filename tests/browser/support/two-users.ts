import { afterAll, beforeAll, expect } from 'vitest';
import type { z } from 'zod';
import type { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { RunSummarySchema } from '#core/protocol/api/run-summary.ts';
import { StoredEvaluationSchema } from '#core/protocol/api/stored-evaluation.ts';
import { startOrigin, type Origin } from '#testbed/origin/start-origin.ts';
import { postJson, startTestController, type TestController } from '../../support/controller.ts';
import { joinAgent } from './join-real-agent.ts';

export type EvaluationInput = z.input<typeof EvaluationSchema>;

/** An origin and a Controller with the host "laptop", for the tests of a file. */
export function useLaptop(): { origin: Origin; test: TestController } {
  const started = {} as { origin: Origin; test: TestController };
  let agent: AsyncDisposable;
  beforeAll(async () => {
    started.origin = await startOrigin();
    started.test = await startTestController();
    agent = await joinAgent(started.test.controller);
  });
  afterAll(async () => {
    await agent[Symbol.asyncDispose]();
    await started.test[Symbol.asyncDispose]();
    await started.origin.close();
  });
  return started;
}

/** Two users of the host "laptop", who load two pages of the origin under two equal Scenarios. */
export function evaluationOfTwo(originUrl: string, change: Partial<EvaluationInput>): EvaluationInput {
  return {
    name: 'Two users',
    urlLists: { pages: [`${originUrl}/images/{1,3}`] },
    userAgents: ['alice', 'bob'].map((name) => ({ name, host: 'laptop', urlList: 'pages' })),
    scenarios: [{ name: 'as it is', baseline: true }, { name: 'also as it is' }],
    pageLoad: { restMs: 0, quietMs: 100 },
    repetition: { rounds: 2, warmUp: false, attempts: 2 },
    ...change,
  };
}

/** Stores the Evaluation and requests a Run of it, whose id it returns. */
export async function startRun(
  { program }: Pick<TestController, 'program'>,
  evaluation: EvaluationInput,
  seed?: number,
): Promise<string> {
  const stored = await program('/api/evaluations', postJson(evaluation));
  expect(stored.status).toBe(201);
  const { id } = StoredEvaluationSchema.parse(await stored.json());
  const response = await program(`/api/evaluations/${id}/runs`, postJson(seed === undefined ? {} : { seed }));
  expect(response.status).toBe(201);
  return RunSummarySchema.parse(await response.json()).id;
}

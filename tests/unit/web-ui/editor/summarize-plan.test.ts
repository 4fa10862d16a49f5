import { expect, test } from 'vitest';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import type { EstimateAnswer } from '#core/protocol/api/estimate-answer.ts';
import { makeEvaluation } from '#tests/support/sample-evaluation.ts';
import { pathOfEstimate } from '#web-ui/src/api/evaluation-requests.ts';
import { summarizePlan } from '#web-ui/src/pages/evaluation/side/plan-summary.tsx';

const plain = (text: string) => text.replaceAll('\u00A0', ' ');
const estimated: EstimateAnswer = {
  kind: 'estimated',
  rounds: 2,
  durationMs: 200_000,
  endsBy: 'fixed',
  slowest: null,
  unknownCells: 0,
  basis: { runId: '1', blocks: 2, blockMs: 60_000, isSameConfiguration: true },
};

test('a Run is summarized by its Visits, and by its time once that is known', () => {
  const summary = (estimate?: EstimateAnswer) => plain(summarizePlan(makeEvaluation(), estimate));
  expect(summary()).toBe('36 Visits');
  expect(summary(estimated)).toBe('36 Visits, about 3 min 20 s');
  expect(summary({ kind: 'needs-pilot', reason: 'no Run yet', leastDurationMs: 32_000 })).toBe(
    '36 Visits, more than 32 s',
  );
});

test('Visits that fill caches count, as they do on the page of the Run', () => {
  const scenarios = makeEvaluation().scenarios.map((scenario) => ({ ...scenario, browser: { cache: 'warm' } }));
  const evaluation = EvaluationSchema.parse({ ...makeEvaluation(), scenarios });
  expect(plain(summarizePlan(evaluation, undefined))).toBe('72 Visits');
});

test('where the Rounds depend on the result, the most Visits are shown', () => {
  const { repetition } = EvaluationSchema.parse({
    ...makeEvaluation(),
    repetition: { adaptive: { target: { halfWidthRatio: 0.05 }, minRounds: 5, maxRounds: 9 } },
  });
  expect(plain(summarizePlan(makeEvaluation({ repetition }), undefined))).toBe('at most 120 Visits');
});

test('the time of a changed Evaluation is estimated from what it is a change of', () => {
  const path = '/api/evaluations/estimate';
  expect(pathOfEstimate({ evaluation: null, run: null })).toBe(path);
  expect(pathOfEstimate({ evaluation: 'a', run: null })).toBe(`${path}?changes=a`);
  expect(pathOfEstimate({ evaluation: null, run: '7' })).toBe(`${path}?changedFromRun=7`);
  expect(pathOfEstimate({ evaluation: 'a', run: '7' })).toBe(`${path}?changes=a&changedFromRun=7`);
});

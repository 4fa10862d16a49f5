import { RunDetailSchema, type RoundProgress, type RunDetail } from '#core/protocol/api/run.ts';
import { makeEvaluation } from './sample-evaluation.ts';

type PassProgressOf = RoundProgress['passes'][number];

/** A Pass under way, without a Visit yet. */
export const samplePass = (
  own: Partial<PassProgressOf> & Pick<PassProgressOf, 'id' | 'userAgent'>,
): PassProgressOf => ({
  agent: 'laptop',
  state: 'running',
  visitsExpected: 5,
  visitsMade: 0,
  visitsFailed: 0,
  visitsUnsettled: 0,
  visitsRefused: 0,
  failures: {},
  currentUrl: null,
  lastUrl: null,
  lastTotalMs: null,
  problem: null,
  hostLoad: null,
  captureAbsence: null,
  ...own,
});

/** Of a Round whose starts nobody has compared. */
export const unknownSkew = {
  startSkewMs: null,
  startSkewErrorMs: null,
  firstRequestSkewMs: null,
  firstRequestSkewErrorMs: null,
  firstPacketSkewMs: null,
  firstPacketSkewErrorMs: null,
  pageSkewMs: null,
  pageSkewErrorMs: null,
};

/** A Round under way, without a Pass. */
export const sampleRound = (own: Partial<RoundProgress>): RoundProgress => ({
  id: '1',
  index: 0,
  block: 1,
  scenario: 'direct',
  warmUp: false,
  attempt: 1,
  state: 'running',
  problem: null,
  ...unknownSkew,
  linkCheck: null,
  totals: { visitsMade: 0, visitsFailed: 0, visitsUnsettled: 0, visitsRefused: 0, failures: {} },
  passes: [],
  capturePoints: [],
  ...own,
});

/** A Run under way, of which no Round has begun. */
export const sampleRun = (own: Partial<RunDetail>): RunDetail =>
  RunDetailSchema.parse({
    id: '7',
    evaluationId: '1',
    evaluationName: 'Two users',
    state: 'running',
    problem: null,
    createdAt: '2026-11-20T12:00:00Z',
    pausedAt: null,
    pausedMs: 0,
    startedAt: null,
    endedAt: null,
    roundsPlanned: 2,
    roundsCompleted: 0,
    visits: 0,
    failedVisits: 0,
    seed: 1,
    evaluation: makeEvaluation(),
    plan: [],
    rounds: [],
    scripts: [],
    missingAgents: [],
    ...own,
  });

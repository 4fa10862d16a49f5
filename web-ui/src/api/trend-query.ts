import { queryOptions } from '@tanstack/react-query';
import { EvaluationTrendSchema } from '#core/protocol/api/evaluation-trend.ts';
import { json, request } from './request.ts';

const waitingPollMs = 3000;

/** The completed Runs of an Evaluation with their figures. It is asked for again while those of some are being computed. */
export const trendQuery = (evaluationId: string) =>
  queryOptions({
    queryKey: ['evaluations', evaluationId, 'trend'],
    queryFn: ({ signal }) =>
      request({
        path: `/api/evaluations/${encodeURIComponent(evaluationId)}/trend`,
        answer: json(EvaluationTrendSchema),
        signal,
      }),
    refetchInterval: ({ state }) => (state.data?.runs.some(({ trend }) => trend === null) ? waitingPollMs : false),
  });

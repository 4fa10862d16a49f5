import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Comparison } from '#core/comparison/comparison.ts';
import type { CaptionFacts } from '#core/figures/write-caption.ts';
import { methodQuery } from '../../api/queries.ts';

/** What captions of a Comparison's figures say of its Run. */
export function useCaptionFacts(comparison: Comparison): CaptionFacts {
  const method = useQuery(methodQuery(comparison.runId)).data;
  return useMemo(() => {
    const { evaluationName, runId, seed, roundsCounted, confidence, intervalConfidence } = comparison;
    const scenarios = comparison.metrics.find(({ metric }) => metric === comparison.primaryMetric)?.scenarios ?? [];
    const visits = scenarios.reduce((sum, scenario) => sum + scenario.visits, 0);
    return {
      evaluationName,
      runId,
      seed,
      isRandomOrder: method ? method.order === 'random-blocks' : null,
      roundsCounted,
      visits,
      confidence,
      intervalConfidence,
      version: method?.controllerVersion ?? null,
    };
  }, [comparison, method]);
}

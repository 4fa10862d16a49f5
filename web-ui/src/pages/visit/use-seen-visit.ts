import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { PathStep } from '#core/causes/critical-path.ts';
import { splitLatencies, type LatencyCauses } from '#core/causes/split-latencies.ts';
import { explainUngiven } from '#core/evaluation/artefact-givers.ts';
import type { Evaluation } from '#core/evaluation/evaluation.ts';
import type { LatencyId } from '#core/metrics/index.ts';
import type { VisitDetail } from '#core/protocol/api/stored-visit.ts';
import { buildWaterfall, type Waterfall } from '#web-ui/src/waterfall/build-waterfall.ts';
import { runQuery } from '../../api/queries.ts';
import { markTraits } from '#core/evaluation/scenarios/scenario-trait.ts';
import { styleScenarios, type ScenarioStyle } from '../../components/scenario/scenario-style.ts';
import { listLooks, type Look } from './list-film-looks.ts';
import { markVisit } from './visit-markers.ts';

/** A Visit with what is drawn of it. */
export interface SeenVisit {
  visit: VisitDetail;
  /** Null where nothing was seen of the page. */
  waterfall: Waterfall | null;
  /** Of each latency; null where nothing was seen of the page. */
  causes: Record<LatencyId, LatencyCauses | null> | null;
  looks: Look[];
  /** Why it has no film though one was asked for, without a full stop; null where it has one, or none was asked for. */
  noFilm: string | null;
  style: ScenarioStyle | undefined;
}

export function useSeenVisit(visit: VisitDetail): SeenVisit {
  const { data: run } = useQuery(runQuery(visit.runId));
  return useMemo(() => {
    const waterfall = visit.snapshot && buildWaterfall(visit.snapshot);
    const { filmstrip } = visit;
    return {
      visit,
      waterfall,
      causes: visit.snapshot && splitLatencies(visit.snapshot),
      noFilm: explainNoFilm(visit, run?.evaluation),
      looks: waterfall && filmstrip?.kind === 'kept' ? listLooks(filmstrip, waterfall.originEpochMs) : [],
      style: styleScenarios(markTraits(run?.evaluation.scenarios ?? [])).get(visit.scenario),
    };
  }, [visit, run]);
}

function explainNoFilm(visit: VisitDetail, evaluation: Evaluation | undefined): string | null {
  const { filmstrip } = visit;
  if (filmstrip !== null) return filmstrip.kind === 'absent' ? filmstrip.reason : null;
  return evaluation ? explainUngiven(evaluation, 'filmstrip', visit) : null;
}

/** When the last thing of a Visit is drawn, in ms from navigation start. */
export function endOfVisit({ visit, waterfall, looks }: SeenVisit): number {
  return Math.max(waterfall?.endMs ?? 0, looks.at(-1)?.atMs ?? 0, ...markVisit(visit).map(({ atMs }) => atMs));
}

/** The critical path that is drawn: that of the latency which is looked at, or else of the longest there is. */
export function pathOf({ causes }: Pick<SeenVisit, 'causes'>, metric: LatencyId = 'totalMs'): readonly PathStep[] {
  return (causes?.[metric] ?? causes?.totalMs ?? causes?.viewportMs ?? causes?.baseMs)?.path ?? [];
}

import type { HttpepCounts, HttpepTraffic } from '../../record/httpep-traffic.ts';
import { baselinesOf, type ComparedGroup } from '../compared-group.ts';
import { findAbsence, listCounts, readValues } from '../counted/counted-rounds.ts';
import { estimateCounted, type ValuesByBlock } from '../counted/counted-value.ts';
import { httpepFigureIds, type HttpepComparison, type HttpepFigure, type ScenarioHttpep } from './httpep-comparison.ts';

interface Design {
  /** Those that used HTTPEP. */
  scenarios: readonly string[];
  baseline: string;
  groups?: readonly ComparedGroup[] | undefined;
  confidence: number;
}

/** What HTTPEP counted in each Scenario that used it, against the baseline if that used it, too. `traffic` has every counted Round of a Run. */
export function compareHttpep(traffic: readonly HttpepTraffic[], design: Design): HttpepComparison {
  const baselines = baselinesOf(design);
  const byScenario = Map.groupBy(traffic, ({ scenario }) => scenario);
  const scenarios = design.scenarios.map((scenario): ScenarioHttpep => {
    const own = byScenario.get(scenario) ?? [];
    const baseline = baselines.get(scenario)!;
    const isCompared = baseline !== scenario && design.scenarios.includes(baseline);
    const figures = httpepFigureIds.map((figure) => {
      const against = isCompared ? readFigure(byScenario.get(baseline) ?? [], figure) : null;
      return [figure, estimateCounted(readFigure(own, figure), { against, confidence: design.confidence })] as const;
    });
    const roundsCounted = listCounts(own).length;
    return {
      scenario,
      roundsCounted,
      roundsLeftOut: own.length - roundsCounted,
      leftOutReason: findAbsence(own),
      figures: Object.fromEntries(figures) as ScenarioHttpep['figures'],
    };
  });
  return { scenarios };
}

const absences: Partial<Record<HttpepFigure, string>> = {
  usedShare: 'Nothing was pushed.',
  waitMs: 'No answer came.',
  retransmissions: 'The kernel of an end does not report them.',
};

function readFigure(rounds: readonly HttpepTraffic[], figure: HttpepFigure): ValuesByBlock {
  return readValues(rounds, {
    read: (counts) => readCount(counts, figure),
    explain: () => absences[figure] ?? 'Not counted.',
  });
}

/** Null where there is nothing to divide by. */
function readCount(counts: HttpepCounts, figure: HttpepFigure): number | null {
  if (figure === 'usedShare') return counts.pushed === 0 ? null : counts.used / counts.pushed;
  if (figure === 'waitMs') return counts.answers === 0 ? null : counts.waitMs / counts.answers;
  return counts[figure];
}

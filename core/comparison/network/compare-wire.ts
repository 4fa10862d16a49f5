import { estimateMean } from '../estimate.ts';
import type { ScenarioWire, WireComparison, WireFigure } from './wire-comparison.ts';
import { wireFigureIds } from './wire-comparison.ts';

/** The packets of one Pass; null where a figure is not known. */
export interface PassWire {
  visits: number;
  /** Null when its packets were not captured. */
  counts: Record<WireFigure, number | null> | null;
}

export interface RoundWire {
  scenario: string;
  passes: PassWire[];
}

/** What a Visit costs on the wire in each Scenario. `rounds` has every counted Round of a Run, captured or not. */
export function compareWire(
  rounds: readonly RoundWire[],
  { scenarios, confidence }: { scenarios: string[]; confidence: number },
): WireComparison {
  const compared = scenarios.map((scenario): ScenarioWire => {
    const own = rounds.filter((round) => round.scenario === scenario);
    const counted = own.filter(isCaptured);
    const figures = wireFigureIds.map(
      (figure) =>
        [
          figure,
          estimateMean(
            counted.flatMap((round) => perVisit(round, figure) ?? []),
            confidence,
          ),
        ] as const,
    );
    return {
      scenario,
      roundsCounted: counted.length,
      roundsLeftOut: own.length - counted.length,
      figures: Object.fromEntries(figures) as ScenarioWire['figures'],
    };
  });
  if (compared.every(({ roundsCounted }) => roundsCounted === 0)) {
    return {
      kind: 'absent',
      reason:
        'No counted Round has a Capture of every Pass. Enable "capture", and use User Agents whose packets can be distinguished from those of others.',
    };
  }
  return { kind: 'measured', scenarios: compared };
}

function isCaptured({ passes }: RoundWire): boolean {
  return passes.length > 0 && passes.every(({ counts }) => counts !== null) && passes.some(({ visits }) => visits > 0);
}

function perVisit({ passes }: RoundWire, figure: WireFigure): number | null {
  const counts = passes.map((pass) => pass.counts?.[figure] ?? null);
  if (counts.includes(null)) return null;
  const visits = passes.reduce((total, pass) => total + pass.visits, 0);
  return counts.reduce((total: number, count) => total + count!, 0) / visits;
}

import { z } from 'zod';
import type { HttpepCounts, HttpepTraffic } from '../../record/httpep-traffic.ts';
import { findOpposite, type ComparedGroup } from '../compared-group.ts';
import { findAbsence, listCounts, readValues, CountedRoundsSchema } from '../counted/counted-rounds.ts';
import {
  estimateCounted,
  CountedValueSchema,
  type ValuesByBlock,
  type CountedFigure,
} from '../counted/counted-value.ts';

interface Design {
  /** Those that used HTTPEP. */
  scenarios: readonly string[];
  baseline: string;
  groups?: readonly ComparedGroup[] | undefined;
  confidence: number;
  /** Scenarios without a change against the baseline. */
  notComparable?: ReadonlySet<string>;
}

/** What HTTPEP counted in each Scenario that used it, against the baseline if that used it, too. `traffic` has every counted Round of a Run. */
export function compareHttpep(traffic: readonly HttpepTraffic[], design: Design): HttpepComparison {
  const byScenario = Map.groupBy(traffic, ({ scenario }) => scenario);
  const scenarios = design.scenarios.map((scenario): ScenarioHttpep => {
    const own = byScenario.get(scenario) ?? [];
    const baseline = findOpposite(design, scenario);
    const opposite = baseline !== null && design.scenarios.includes(baseline) ? (byScenario.get(baseline) ?? []) : null;
    const figures = httpepFigureIds.map((figure) => {
      const against = opposite && readFigure(opposite, figure);
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

/** What HTTPEP counts in each Round: its name for people, its unit, and its definition. */
export const httpepFigures = {
  requests: {
    label: 'Requests',
    unit: 'count',
    definition: 'Requests of the browsers at the remote end, with CONNECT, per Round.',
  },
  bytesBefore: {
    label: 'Before compression',
    unit: 'bytes',
    definition: 'Bytes of bodies from the web servers, as they came, per Round. Untouched HTTPS is not among them.',
  },
  bytesAfter: {
    label: 'After compression',
    unit: 'bytes',
    definition: 'Bytes of the same bodies in the tunnel, per Round.',
  },
  tunnelBytes: {
    label: 'On the tunnel',
    unit: 'bytes',
    definition:
      'Bytes that both ends sent on the connections of the tunnel, above TCP, per Round. Untouched HTTPS is among them.',
  },
  pushed: {
    label: 'Pushed',
    unit: 'count',
    definition: 'Answers that the ground end fetched and announced before the browser asked, per Round.',
  },
  used: { label: 'Used', unit: 'count', definition: 'Pushed answers that a browser got, per Round.' },
  unused: {
    label: 'Unused',
    unit: 'count',
    definition: 'Pushed answers that no browser got, per Round.',
  },
  usedShare: { label: 'Share used', unit: 'share', definition: 'Used answers over pushed ones of the same Round.' },
  waitMs: {
    label: 'Waiting time',
    unit: 'ms',
    definition:
      'Time from a request at the remote end to the head of its answer: the mean over the answers of a Round.',
  },
  retransmissions: {
    label: 'Sent again',
    unit: 'count',
    definition: 'TCP segments of the tunnel that the kernels of both ends sent again, per Round.',
  },
} as const satisfies Record<string, CountedFigure>;
type HttpepFigure = keyof typeof httpepFigures;
export const httpepFigureIds = Object.keys(httpepFigures) as [HttpepFigure, ...HttpepFigure[]];

/** `roundsCounted`: of which the counters of both ends are stored. */
const ScenarioHttpepSchema = CountedRoundsSchema.extend({
  figures: z.record(z.enum(httpepFigureIds), CountedValueSchema),
});
export type ScenarioHttpep = z.infer<typeof ScenarioHttpepSchema>;

/** What HTTPEP counted in each Scenario that used it. */
export const HttpepComparisonSchema = z.object({ scenarios: z.array(ScenarioHttpepSchema) });
export type HttpepComparison = z.infer<typeof HttpepComparisonSchema>;

import type { RoundProgress, RunDetail } from '#core/protocol/api/run.ts';

/** One planned Round and every try of it, the last one last. */
export interface RoundSlot {
  index: number;
  /** 0, or which time Rounds were added that it is one of. */
  addition: number;
  block: number;
  scenario: string;
  warmUp: boolean;
  attempts: RoundProgress[];
}

/** The plan of a Run, filled with what has been tried of it, in the order of execution. */
export function fillSlots(run: Pick<RunDetail, 'plan' | 'rounds'>): RoundSlot[] {
  const attempts = Map.groupBy(run.rounds, (round) => round.index);
  return run.plan.map((planned) => ({
    ...planned,
    attempts: (attempts.get(planned.index) ?? []).toSorted((a, b) => a.attempt - b.attempt),
  }));
}

/** The Round to show first: the current one, else the last one that was tried. */
export function currentSlot(slots: RoundSlot[]): RoundSlot | null {
  const tried = slots.filter((slot) => slot.attempts.length > 0);
  const isUnderWay = (slot: RoundSlot) => !['completed', 'broken'].includes(slot.attempts.at(-1)!.state);
  return tried.findLast(isUnderWay) ?? tried.at(-1) ?? null;
}

/** The state of a slot's last try, in words. */
export function describeSlot(slot: RoundSlot): string {
  const last = slot.attempts.at(-1);
  if (!last) return 'planned';
  const broken = slot.attempts.filter((attempt) => attempt.state === 'broken').length;
  if (last.state === 'broken') return `broken: ${last.problem ?? 'no reason was reported'}`;
  const faults = describeFaults(last.totals);
  return `${broken === 0 ? last.state : `${last.state} at attempt ${last.attempt}`}${faults === null ? '' : `, Visits: ${faults}`}`;
}

type Faults = Pick<RoundProgress['totals'], 'visitsFailed' | 'visitsUnsettled' | 'visitsRefused'>;

/** What is wrong with Visits, such as "1 failed, 2 unsettled, 1 refused"; null when nothing is. */
export function describeFaults(...passes: Faults[]): string | null {
  const failed = passes.reduce((count, { visitsFailed }) => count + visitsFailed, 0);
  const unsettled = passes.reduce((count, { visitsUnsettled }) => count + visitsUnsettled, 0);
  const refused = passes.reduce((count, { visitsRefused }) => count + visitsRefused, 0);
  const words = [
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(unsettled > 0 ? [`${unsettled} unsettled`] : []),
    ...(refused > 0 ? [`${refused} refused`] : []),
  ];
  return words.length === 0 ? null : words.join(', ');
}

import type { OutcomeKind } from '#core/comparison/outcome/run-outcome.ts';

const labels: Record<OutcomeKind, string> = {
  faster: 'faster',
  slower: 'slower',
  equivalent: 'no difference',
  undecided: 'undecided',
  none: 'nothing compared',
};

/** Outcomes to filter a list by. */
export const outcomeChoices = Object.entries(labels).map(([value, label]) => ({ value, label }));

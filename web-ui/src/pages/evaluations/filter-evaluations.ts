import { kindOfOutcome } from '#core/comparison/outcome/run-outcome.ts';
import { splitWords } from '#core/protocol/api/split-words.ts';
import type { EvaluationSummary } from '#core/protocol/api/stored-evaluation.ts';

/** Evaluations that match the search of an address. Each word is in the name, the description, the note, the tags, a Scenario or the outcome. */
export function filterEvaluations(
  evaluations: readonly EvaluationSummary[],
  search: URLSearchParams,
): EvaluationSummary[] {
  const words = splitWords((search.get('words') ?? '').toLowerCase());
  const [tag, kind] = [search.get('tag'), search.get('outcome')];
  return evaluations.filter(({ name, description, note, tags, scenarios, lastResult }) => {
    const outcome = lastResult?.outcome;
    if (tag !== null && !tags.includes(tag)) return false;
    if (kind !== null && (!outcome || kindOfOutcome(outcome) !== kind)) return false;
    const texts = [
      name,
      description,
      note,
      ...tags,
      ...scenarios.map((scenario) => scenario.name),
      outcome?.text ?? '',
    ];
    const text = texts.join('\n').toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

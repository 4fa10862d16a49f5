import { expandDocument } from '#core/evaluation/evaluation-document.ts';
import { urlsOf } from '#core/evaluation/rounds/expand-evaluation.ts';
import type { EvaluationSummary, StoredEvaluation } from '#core/protocol/api/stored-evaluation.ts';
import type { RunSummary } from '#core/protocol/api/run.ts';

/** An Evaluation as lists show it; `urlCount` counts its URL lists' entries after expansion. */
export function summariseEvaluation(
  { id, updatedAt, document, tags, note }: StoredEvaluation,
  { lastRun, lastResult }: { lastRun: RunSummary | null; lastResult: RunSummary | null },
): EvaluationSummary {
  return {
    id,
    name: document.name,
    description: document.description,
    scenarios: expandDocument(document).scenarios.map(({ name, baseline }) => ({ name, baseline })),
    userAgents: document.userAgents.map((userAgent) => userAgent.name),
    urlCount: Object.keys(document.urlLists).reduce((count, list) => count + urlsOf(document, list).length, 0),
    updatedAt,
    lastRun,
    lastResult,
    tags,
    note,
  };
}

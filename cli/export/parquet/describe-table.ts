import type { TypedColumn } from '#core/export/typed-column.ts';
import type { RunSummary } from '#core/protocol/api/run.ts';
import type { RunMethod } from '#core/record/run-method.ts';

/** What a file says of itself, as JSON: the Run, how it was measured, and the unit and meaning of each column. */
export function describeTable(
  columns: readonly TypedColumn[],
  { summary, method }: { summary: RunSummary; method: RunMethod },
): Record<string, string> {
  const { id, evaluationName, state } = summary;
  const described = columns.map(({ name, unit, definition }) => [name, { unit: unit ?? null, definition }]);
  return {
    'http_ae.run': JSON.stringify({ run: Number(id), evaluation: evaluationName, state }),
    'http_ae.method': JSON.stringify(method),
    'http_ae.columns': JSON.stringify(Object.fromEntries(described)),
  };
}

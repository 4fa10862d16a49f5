import { Paper, Text } from '@mantine/core';
import { expandSweeps } from '#core/evaluation/sweep/expand-sweeps.ts';
import { formatCount } from '../../../../format/format-count.ts';
import { countPlan } from '../../count-plan.ts';
import { useEditor } from '../../editor/editor-context.ts';
import { readPath, readText, type Path } from '../../editor/path.ts';
import { findUnusedVariables, type ScenarioEntry } from '../../editor/sweep/change-sweep.ts';
import { listUrls } from '../../editor/sweep/list-urls.ts';
import { RunEstimate } from '../../side/run-estimate.tsx';

const shownNames = 6;

/** The first Scenarios that come of a sweep, and how many Rounds and how much time come of all. */
export function SweepOutcome({ path }: { path: Path }) {
  const { input, evaluation, evaluationId } = useEditor();
  const entry = (readPath(input, path) ?? {}) as ScenarioEntry;
  const expanded = expandSweeps([entry]);
  if (expanded.kind === 'refused') return null;
  const { scenarios } = expanded;
  const unused = findUnusedVariables(entry, listUrls(input));
  const names = scenarios
    .slice(0, shownNames)
    .map(
      (scenario) => `${readText(scenario, ['name'])}${readPath(scenario, ['baseline']) === true ? ' (baseline)' : ''}`,
    );
  const more = scenarios.length - names.length;
  return (
    <Paper bg="var(--surface-raised)" radius="md" p="sm" role="group" aria-label="Scenarios of the sweep">
      <Text size="sm">
        <strong>{formatCount(scenarios.length, 'Scenario')}</strong>: {names.join(', ')}
        {more > 0 && ` and ${more} more`}.
      </Text>
      {unused.length > 0 && (
        <Text size="sm" c="var(--mantine-color-error)">
          No setting uses {unused.map((name) => `{${name}}`).join(' or ')}. Write {`{${unused[0]!}}`} in a field of this
          Scenario or in a URL.
        </Text>
      )}
      {evaluation ? (
        <>
          <Text size="sm">{describeAll(evaluation.scenarios.length, countPlan(evaluation))}</Text>
          <RunEstimate evaluation={evaluation} evaluationId={evaluationId} />
        </>
      ) : (
        <Text size="sm" c="dimmed">
          Rounds and time appear when all problems are corrected.
        </Text>
      )}
    </Paper>
  );
}

function describeAll(scenarios: number, { rounds, warmUpRounds, visits }: ReturnType<typeof countPlan>): string {
  return `In all ${formatCount(scenarios, 'Scenario')}, ${formatCount(rounds + warmUpRounds, 'Round')}, ${formatCount(visits, 'Visit')}.`;
}

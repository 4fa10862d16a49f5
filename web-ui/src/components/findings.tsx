import { Paper, Stack, Text } from '@mantine/core';
import type { Comparison } from '#core/statistics/comparison.ts';
import { ScenarioMarker } from './scenario-marker.tsx';
import type { ScenarioStyle } from './scenario-style.ts';
import classes from './findings.module.css';

interface FindingsProps {
  comparison: Pick<Comparison, 'findings' | 'scenarios' | 'baseline'>;
  styles: Map<string, ScenarioStyle>;
}

/** The finding in words: a sentence for each Scenario other than the baseline, after that Scenario's marker; below them, smaller, what speaks for caution. */
export function Findings({ comparison, styles }: FindingsProps) {
  const { findings, scenarios, baseline } = comparison;
  const others = scenarios.filter((name) => name !== baseline);
  const notes = findings.slice(others.length);
  return (
    <Paper bg="var(--surface-raised)" radius="md" p="lg">
      <Stack gap="sm">
        {findings.slice(0, others.length).map((finding, index) => (
          <div key={index} className={classes.finding}>
            <ScenarioMarker style={styles.get(others[index] ?? '')} />
            <span>{emphasise(finding, others[index])}</span>
          </div>
        ))}
        {notes.length > 0 && (
          <ul className={classes.notes} aria-label="What to know before believing it">
            {notes.map((note, index) => (
              <li key={index}>{note}</li>
            ))}
          </ul>
        )}
        {findings.length === 0 && <Text c="dimmed">There is only one Scenario, so nothing is compared.</Text>}
      </Stack>
    </Paper>
  );
}

function emphasise(finding: string, scenario: string | undefined) {
  const start = scenario === undefined ? -1 : finding.indexOf(scenario);
  if (scenario === undefined || start < 0) return finding;
  return (
    <>
      {finding.slice(0, start)}
      <strong>{scenario}</strong>
      {finding.slice(start + scenario.length)}
    </>
  );
}

import { Paper, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Comparison } from '#core/comparison/comparison.ts';
import { keepTogether } from '../format/keep-together.ts';
import { ScenarioMarker } from './scenario-marker.tsx';
import type { ScenarioStyle } from './scenario-style.ts';
import classes from './findings.module.css';

interface FindingsProps {
  comparison: Pick<Comparison, 'findings' | 'remarks' | 'scenarios' | 'baseline'>;
  styles: Map<string, ScenarioStyle>;
  /** A link to the subject of a remark. */
  linkOf?: (remark: Comparison['remarks'][number]) => ReactNode;
}

/** The finding in words: a sentence for each Scenario other than the baseline, after that Scenario's marker; below them, smaller, the reasons for caution. */
export function Findings({ comparison, styles, linkOf }: FindingsProps) {
  const { findings, remarks, scenarios, baseline } = comparison;
  const others = scenarios.filter((name) => name !== baseline);
  return (
    <Paper bg="var(--surface-raised)" radius="md" p="lg">
      <Stack gap="sm">
        {findings.length === 0 && <Text c="dimmed">There is only one Scenario, so nothing is compared.</Text>}
        {findings.map((finding, index) => (
          <div key={index} className={classes.finding}>
            <ScenarioMarker style={styles.get(others[index] ?? '')} />
            <span>{emphasise(finding, others[index])}</span>
          </div>
        ))}
        {remarks.length > 0 && (
          <ul className={classes.notes} aria-label="Remarks">
            {remarks.map((remark, index) => (
              <li key={index}>
                {keepTogether(remark.text)} {linkOf?.(remark)}
              </li>
            ))}
          </ul>
        )}
      </Stack>
    </Paper>
  );
}

function emphasise(finding: string, scenario: string | undefined) {
  const start = scenario === undefined ? -1 : finding.indexOf(scenario);
  if (scenario === undefined || start < 0) return keepTogether(finding);
  return (
    <>
      {keepTogether(finding.slice(0, start))}
      <strong>{scenario}</strong>
      {keepTogether(finding.slice(start + scenario.length))}
    </>
  );
}

import { List, Text } from '@mantine/core';
import type { Comparison } from '#core/statistics/comparison.ts';
import { describeEnding } from '#core/report/describe-ending.ts';
import type { Exclusion } from '#core/report/exclusion.ts';
import { Section } from '../../components/section.tsx';

/** Why the Run ended when it did, and which Visits are left out, by whom and why. */
export function MethodSection({ comparison: { ending, exclusions } }: { comparison: Comparison }) {
  if (!ending && exclusions.length === 0) return null;
  return (
    <Section title="Method">
      {ending && <Text size="sm">{describeEnding(ending)}</Text>}
      {exclusions.length > 0 && (
        <List size="sm" aria-label="Excluded Visits">
          {exclusions.map((exclusion) => (
            <List.Item key={exclusion.id}>{describeExclusion(exclusion)}</List.Item>
          ))}
        </List>
      )}
    </Section>
  );
}

function describeExclusion({ url, userAgent, scenario, block, reason, excludedBy, excludedAt, reversal }: Exclusion): string {
  const visit = `Visit of ${url} by ${userAgent} in ${scenario}, Block ${block}`;
  const excluded = `excluded by ${excludedBy} on ${excludedAt.slice(0, 10)}: ${reason}`;
  return reversal ? `${visit}: ${excluded}; reversed by ${reversal.reversedBy} on ${reversal.reversedAt.slice(0, 10)}: ${reversal.reason}` : `${visit}: ${excluded}`;
}

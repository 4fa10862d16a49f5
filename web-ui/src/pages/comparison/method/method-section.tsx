import { Anchor, Group, List, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { describeEnding } from '#core/record/describe-ending.ts';
import type { Exclusion } from '#core/record/exclusion.ts';
import type { RunMethod } from '#core/record/run-method.ts';
import type { Comparison } from '#core/comparison/comparison.ts';
import { methodQuery } from '../../../api/queries.ts';
import { useIsAlone } from '../../../components/report-place.ts';
import { QueryContent } from '../../../components/query-content.tsx';
import { Section } from '../../../components/section.tsx';
import { formatCount } from '../../../format/format-count.ts';
import { LinkCheckTable } from './link-check-table.tsx';
import { MethodTable } from './method-table.tsx';
import { MissedCells } from './missed-cells.tsx';
import { TunnelList } from './tunnel-list.tsx';

/** How the Run was measured, why it ended when it did, what was repeated, and which Visits are left out, by whom and why. */
export function MethodSection({ comparison }: { comparison: Comparison }) {
  const { runId, ending, exclusions } = comparison;
  const query = useQuery(methodQuery(runId));
  const isAlone = useIsAlone();
  return (
    <Section
      id="method"
      title="Method"
      beside={
        !isAlone && (
          <Group gap="md" className="no-print">
            <Anchor component={Link} to="/help/metrics" size="sm">
              Metrics
            </Anchor>
            <Anchor component={Link} to="/help/statistics" size="sm">
              How Scenarios are compared
            </Anchor>
          </Group>
        )
      }
    >
      {ending && <Text size="sm">{describeEnding(ending)}</Text>}
      <QueryContent query={query} what="The method">
        {(method) => <MethodContent method={method} comparison={comparison} />}
      </QueryContent>
      {ending && ending.missed.length > 0 && <MissedCells missed={ending.missed} inAll={ending.cellsMissed} />}
      {exclusions.length > 0 && (
        <>
          <Title order={3} mt="sm" id="exclusions">
            Excluded Visits
          </Title>
          <List size="sm" aria-label="Excluded Visits">
            {exclusions.map((exclusion) => (
              <List.Item key={exclusion.id}>{describeExclusion(exclusion)}</List.Item>
            ))}
          </List>
        </>
      )}
    </Section>
  );
}

function MethodContent({ method, comparison }: { method: RunMethod; comparison: Comparison }) {
  return (
    <>
      {method.description !== '' && (
        <Text size="sm" maw={760} style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
          {method.description}
        </Text>
      )}
      <MethodTable method={method} comparison={comparison} />
      {method.linkChecks.length > 0 && <LinkCheckTable checks={method.linkChecks} />}
      {method.tunnels.length > 0 && <TunnelList tunnels={method.tunnels} />}
      {method.brokenRoundsInAll > 0 && (
        <>
          <Title order={3} mt="sm" id="broken-rounds">
            Repeated Rounds
          </Title>
          <List size="sm" aria-label="Repeated Rounds">
            {method.brokenRounds.map(({ block, scenario, attempt, problem }, index) => (
              <List.Item key={index}>
                {scenario}, Block {block}, attempt {attempt}: {problem ?? 'no reason was recorded'}
              </List.Item>
            ))}
            {method.brokenRoundsInAll > method.brokenRounds.length && (
              <List.Item>
                and {formatCount(method.brokenRoundsInAll - method.brokenRounds.length, 'other')}; the bundle lists them
                all
              </List.Item>
            )}
          </List>
        </>
      )}
    </>
  );
}

function describeExclusion({
  url,
  userAgent,
  scenario,
  block,
  reason,
  excludedBy,
  excludedAt,
  reversal,
}: Exclusion): string {
  const visit = `Visit of ${url} by ${userAgent} in ${scenario}, Block ${block}`;
  const excluded = `excluded by ${excludedBy} on ${excludedAt.slice(0, 10)}: ${reason}`;
  return reversal
    ? `${visit}: ${excluded}; reversed by ${reversal.reversedBy} on ${reversal.reversedAt.slice(0, 10)}: ${reversal.reason}`
    : `${visit}: ${excluded}`;
}

import { Anchor, Group, List, Text, Title, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { describeEnding } from '#core/record/describe-ending.ts';
import type { Exclusion } from '#core/record/exclusion.ts';
import type { RunMethod } from '#core/record/run-method.ts';
import type { Comparison } from '#core/comparison/comparison.ts';
import { methodQuery } from '../../../api/queries.ts';
import { useIsAlone } from '../../../components/report-place.ts';
import { Folded, FoldedRow } from '../../../components/folded.tsx';
import { QueryContent } from '../../../components/query-content.tsx';
import type { ScenarioStyle } from '../../../components/scenario/scenario-style.ts';
import { Section } from '../../../components/section.tsx';
import { formatCount, formatNumber } from '../../../format/format-numbers.ts';
import { formatMs } from '../../../format/format-times.ts';
import { Conditions } from './conditions.tsx';
import { MethodTable } from './method-table.tsx';
import { describeTunnel } from '#core/protocol/tunnel-record.ts';
import { Term } from '../../../components/terms/term.tsx';
import { useRef } from 'react';
import { catalogue } from '#core/metrics/index.ts';
import type { MissedCell } from '#core/stop-rule/block-decision.ts';
import { AbsentValue } from '../../../components/absent-value.tsx';
import { VirtualRows } from '../../../components/virtual-rows.tsx';
import { DataTable, type DataColumn } from '../../../components/data-table.tsx';

type LinkCheck = RunMethod['linkChecks'][number];

const figureOf = ({ segment, figure, unit }: LinkCheck) =>
  `${segment ? `${segment}: ` : ''}${figure}, ${unit === 'kbps' ? 'kb/s' : unit}`;

const columns: DataColumn<LinkCheck>[] = [
  { name: 'Scenario', sortBy: ({ scenario }) => scenario, cell: ({ scenario }) => scenario },
  { name: 'Profile', sortBy: ({ profile }) => profile, cell: ({ profile }) => profile },
  { name: 'Figure', sortBy: figureOf, cell: figureOf },
  { name: 'Expected', isNumeric: true, cell: ({ expected }) => formatNumber(expected, 1) },
  {
    name: 'Mean',
    isNumeric: true,
    cell: ({ mean }) =>
      mean === null ? <AbsentValue reason="No traffic arrived, so nothing was measured." /> : formatNumber(mean, 1),
  },
  {
    name: 'Range',
    isNumeric: true,
    cell: ({ smallest, largest }) =>
      smallest !== null && largest !== null && `${formatNumber(smallest, 1)} to ${formatNumber(largest, 1)}`,
  },
  { name: 'Rounds', isNumeric: true, sortBy: ({ rounds }) => rounds, cell: ({ rounds }) => formatNumber(rounds) },
  {
    name: 'Out of bounds',
    isNumeric: true,
    sortBy: ({ outside }) => outside,
    cell: ({ outside }) =>
      outside > 0 ? (
        <Text span inherit c="var(--mantine-color-error)">
          {formatNumber(outside)}
        </Text>
      ) : (
        formatNumber(outside)
      ),
  },
];

/** How the Run was measured, why it ended when it did, what was repeated, and which Visits are left out, by whom and why. */
export function MethodSection({ comparison, styles }: { comparison: Comparison; styles: Map<string, ScenarioStyle> }) {
  const { runId, ending, exclusions, conditions, sharedSettings, groups } = comparison;
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
      <FoldedRow>
        <Conditions conditions={conditions} shared={sharedSettings} groups={groups} styles={styles} />
      </FoldedRow>
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
      <Folded summary="How it was measured: hosts, versions, order, seed">
        {comparison.ending && <Text size="sm">{describeEnding(comparison.ending)}</Text>}
        <MethodTable method={method} comparison={comparison} />
        {method.linkChecks.length > 0 && <LinkCheckTable checks={method.linkChecks} />}
        {method.tunnels.length > 0 && <TunnelList tunnels={method.tunnels} />}
      </Folded>
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

/** The tunnel of each Scenario that has one. */
function TunnelList({ tunnels }: { tunnels: RunMethod['tunnels'] }) {
  return (
    <List size="sm" mt="xs" aria-label="Tunnels">
      {tunnels.map(({ scenario, ...tunnel }) => (
        <List.Item key={scenario}>
          <Term of="tunnel">Tunnel</Term> of {scenario}: {describeTunnel(tunnel)}
        </List.Item>
      ))}
    </List>
  );
}

/** The means that missed their target. */
function MissedCells({ missed, inAll }: { missed: MissedCell[]; inAll: number }) {
  const scroller = useRef<HTMLDivElement>(null);
  return (
    <>
      <Title order={3} mt="sm" id="missed">
        Means that missed their target: {formatNumber(inAll)}
      </Title>
      <div
        ref={scroller}
        style={{ maxHeight: 380, overflow: 'auto' }}
        tabIndex={0}
        role="region"
        aria-label="Means that missed their target"
      >
        <Table stickyHeader verticalSpacing={5}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Metric</Table.Th>
              <Table.Th>Scenario</Table.Th>
              <Table.Th>User Agent</Table.Th>
              <Table.Th>URL</Table.Th>
              <Table.Th className="numeric">Half-width</Table.Th>
              <Table.Th className="numeric">Target</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <VirtualRows rows={missed} rowHeightPx={33} columns={6} scroller={scroller}>
            {({ metric, scenario, userAgent, url, halfWidthMs, targetMs }, index) => (
              <Table.Tr key={index}>
                <Table.Td>{catalogue[metric].label}</Table.Td>
                <Table.Td>{scenario}</Table.Td>
                <Table.Td>{userAgent}</Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{url}</Table.Td>
                <Table.Td className="numeric">
                  {halfWidthMs === null ? (
                    <AbsentValue reason="Fewer than two Rounds have a value." />
                  ) : (
                    `± ${formatMs(halfWidthMs)}`
                  )}
                </Table.Td>
                <Table.Td className="numeric">
                  {targetMs === null ? <AbsentValue reason="No Round has a value." /> : `± ${formatMs(targetMs)}`}
                </Table.Td>
              </Table.Tr>
            )}
          </VirtualRows>
        </Table>
      </div>
    </>
  );
}

/** Measurements of the emulated link before the Rounds, compared with its profile. */
function LinkCheckTable({ checks }: { checks: LinkCheck[] }) {
  return (
    <>
      <Title order={3} mt="sm" id="link-checks">
        <Term of="linkCheck">Link checks</Term>
      </Title>
      <DataTable
        label="Link checks"
        rows={checks}
        columns={columns}
        rowKey={(check) => `${check.scenario} ${figureOf(check)}`}
        minWidthPx={820}
        verticalSpacing={5}
      />
    </>
  );
}

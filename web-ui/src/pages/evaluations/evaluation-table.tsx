import { Anchor, Group, Stack, Table, Text, Tooltip } from '@mantine/core';
import { Link } from 'react-router';
import type { EvaluationSummary } from '#core/protocol/api/stored-evaluation.ts';
import { ActionsHeader } from '../../components/actions-header.tsx';
import { ScenarioName } from '../../components/scenario-name.tsx';
import { styleScenarios } from '../../components/scenario-style.ts';
import { Term } from '../../components/term.tsx';
import { formatNumber } from '../../format/format-number.ts';
import { DeleteEvaluationButton } from './delete-evaluation-button.tsx';
import { LastRun } from './last-run.tsx';
import { RunButton } from './run-button.tsx';

export function EvaluationTable({ evaluations }: { evaluations: EvaluationSummary[] }) {
  return (
    <Table.ScrollContainer minWidth={820}>
      <Table highlightOnHover verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>
              <Term of="evaluation">Evaluation</Term>
            </Table.Th>
            <Table.Th>
              <Term of="scenario">Scenarios</Term>
            </Table.Th>
            <Table.Th className="numeric">
              <Term of="userAgent">User Agents</Term>
            </Table.Th>
            <Table.Th className="numeric">URLs</Table.Th>
            <Table.Th w={210}>
              Last <Term of="run">Run</Term>
            </Table.Th>
            <ActionsHeader widthPx={150} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {evaluations.map((evaluation) => (
            <EvaluationRow key={evaluation.id} evaluation={evaluation} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function EvaluationRow({ evaluation }: { evaluation: EvaluationSummary }) {
  const styles = styleScenarios(evaluation.scenarios);
  return (
    <Table.Tr>
      <Table.Td maw={340}>
        <Anchor component={Link} to={`/evaluations/${evaluation.id}`} fw={600} c="inherit" inherit>
          {evaluation.name}
        </Anchor>
        {evaluation.description && (
          <Text size="sm" c="dimmed" lineClamp={2}>
            {evaluation.description}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Stack gap={2}>
          {evaluation.scenarios.map(({ name, baseline }) => (
            <ScenarioName key={name} name={name} style={styles.get(name)} isBaseline={baseline} />
          ))}
        </Stack>
      </Table.Td>
      <Table.Td className="numeric">
        <Tooltip label={evaluation.userAgents.join(', ')}>
          <span tabIndex={0}>{formatNumber(evaluation.userAgents.length)}</span>
        </Tooltip>
      </Table.Td>
      <Table.Td className="numeric">{formatNumber(evaluation.urlCount)}</Table.Td>
      <Table.Td>
        <LastRun run={evaluation.lastRun} />
      </Table.Td>
      <Table.Td>
        <Group gap={4} justify="flex-end" wrap="nowrap">
          <DeleteEvaluationButton evaluation={evaluation} />
          <RunButton evaluationId={evaluation.id} evaluationName={evaluation.name} isSmall />
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

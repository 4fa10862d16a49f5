import { Button, Group, List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router';
import { NeedsRole } from '../../access/needs-role.tsx';
import type { EvaluationSummary } from '#core/protocol/api/evaluation-summary.ts';
import { evaluationsQuery, agentsQuery } from '../../api/queries.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ListFilters } from '../../components/list/list-filters.tsx';
import { useAddress } from '../../components/list/use-address.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { TextFileButton } from '../../components/text-file-button.tsx';
import { EvaluationTable } from './evaluation-table.tsx';
import { kindOfOutcome } from '#core/comparison/outcome/run-outcome.ts';
import { splitWords } from '#core/protocol/api/run-search.ts';
import type { ReactNode } from 'react';
import { RowsSkeleton } from '../../components/rows-skeleton.tsx';
import { StateDot } from '../../components/state-dot.tsx';
import { Term } from '../../components/terms/term.tsx';

/** What have we got? */
export function EvaluationsPage() {
  const query = useQuery(evaluationsQuery);
  const navigate = useNavigate();
  const importButton = (
    <TextFileButton
      accept=".yaml,.yml,text/yaml,application/yaml"
      onText={(yaml) => void navigate('/evaluations/new', { state: { yaml } })}
    >
      Import YAML
    </TextFileButton>
  );
  const buttons = (
    <NeedsRole role="evaluator">
      <Group gap="xs">
        {importButton}
        <Button component={Link} to="/evaluations/new">
          New Evaluation
        </Button>
      </Group>
    </NeedsRole>
  );

  return (
    <>
      <PageHeader title="Evaluations" actions={query.data?.length ? buttons : null} />
      <QueryContent query={query} what="The Evaluations">
        {(evaluations) =>
          evaluations.length > 0 ? (
            <FoundEvaluations evaluations={evaluations} />
          ) : (
            <FirstSteps importButton={importButton} />
          )
        }
      </QueryContent>
    </>
  );
}

function FoundEvaluations({ evaluations }: { evaluations: EvaluationSummary[] }) {
  const [search] = useAddress();
  const found = filterEvaluations(evaluations, search);
  return (
    <>
      <ListFilters label="Search Evaluations" />
      {found.length > 0 ? (
        <EvaluationTable evaluations={found} />
      ) : (
        <EmptyState title="No matching Evaluation">
          No Evaluation matches all filters above. The filter of outcomes looks at the last completed Run. Clear a
          filter.
        </EmptyState>
      )}
    </>
  );
}

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

/** What leads from nothing to a first comparison; a host only while none is connected. */
function FirstSteps({ importButton }: { importButton: ReactNode }) {
  const { data: agents, isPending } = useQuery(agentsQuery);
  const connected = agents?.filter(({ isConnected }) => isConnected).map(({ name }) => name) ?? [];
  const isReady = connected.length > 0;
  if (isPending) return <RowsSkeleton />;
  return (
    <EmptyState
      title="Start with a question"
      action={
        <NeedsRole role="evaluator">
          <Group gap="xs">
            {!isReady && (
              <Button component={Link} to="/hosts?add=">
                Add a host
              </Button>
            )}
            <Button component={Link} to="/evaluations/new" variant={isReady ? 'filled' : 'default'}>
              New Evaluation
            </Button>
            {importButton}
          </Group>
        </NeedsRole>
      }
    >
      For example: “Does HTTP/2 load these pages faster than HTTP/1.1 when two people share a link?”
      {isReady && (
        <div>
          <StateDot state="good" label={`${connected.join(', ')} connected`} />
        </div>
      )}
      <List type="ordered" mt="sm" spacing={6}>
        {!isReady && (
          <List.Item>
            A <Term of="host">host</Term> loads the pages: this machine or another.
            <Text component="div" inherit>
              <code>./http-ae up --agent</code> adds this machine automatically.
            </Text>
          </List.Item>
        )}
        <List.Item>
          An <Term of="evaluation">Evaluation</Term> lists pages, <Term of="userAgent">User Agents</Term> that load
          them, <Term of="scenario">Scenarios</Term> to compare, and the number of Rounds.
        </List.Item>
        <List.Item>
          <em>Run</em> it and read the Comparison. To see one first, stop this Controller and run{' '}
          <code>./http-ae demo</code>. It takes five minutes, and its Run is here when you start this one again.
        </List.Item>
      </List>
    </EmptyState>
  );
}

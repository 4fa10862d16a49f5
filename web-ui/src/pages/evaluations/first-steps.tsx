import { Button, Group, List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { NeedsRole } from '../../access/needs-role.tsx';
import { agentsQuery } from '../../api/queries.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { RowsSkeleton } from '../../components/rows-skeleton.tsx';
import { StateDot } from '../../components/state-dot.tsx';
import { Term } from '../../components/terms/term.tsx';

/** What leads from nothing to a first comparison; a host only while none is connected. */
export function FirstSteps({ importButton }: { importButton: ReactNode }) {
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
          <em>Run</em> it and read the Comparison. To see one first, <code>./http-ae demo</code> makes one in five
          minutes.
        </List.Item>
      </List>
    </EmptyState>
  );
}

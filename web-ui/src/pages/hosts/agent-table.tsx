import { Group, Text, TextInput, Tooltip } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import type { AgentSummary } from '#core/protocol/api/access.ts';
import { DataTable, rowsAtOnce, type DataColumn } from '../../components/data-table.tsx';
import { StateDot } from '../../components/state-dot.tsx';
import { Term } from '../../components/terms/term.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { formatCount, formatNumber } from '../../format/format-numbers.ts';
import { formatClockError } from '../../format/format-times.ts';
import { AbsentValue } from '../../components/absent-value.tsx';
import { splitWords } from '#core/protocol/api/run-search.ts';
import { useMutation } from '@tanstack/react-query';
import { NeedsRole } from '../../access/needs-role.tsx';
import { revokeAgent } from '../../api/agent-requests.ts';
import { useRefresh } from '../../api/use-refresh.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';

const describeAgentState = ({ isConnected }: Pick<AgentSummary, 'isConnected'>) =>
  isConnected ? 'connected' : 'not connected';

export function AgentTable({ agents }: { agents: AgentSummary[] }) {
  const [words, setWords] = useState('');
  const [settled] = useDebouncedValue(words, 200);
  const found = useMemo(() => findAgents(agents, settled), [agents, settled]);
  return (
    <>
      {agents.length > rowsAtOnce && (
        <Group gap="md" align="end">
          <TextInput
            label="Find hosts"
            placeholder="name, engine, address or state"
            value={words}
            maxLength={200}
            onChange={(event) => setWords(event.currentTarget.value)}
            w={320}
          />
          <Text size="sm" c="dimmed" aria-live="polite">
            {formatCount(found.length, 'host')}
          </Text>
        </Group>
      )}
      <DataTable rows={found} columns={columns} rowKey={({ name }) => name} minWidthPx={1020} inParts />
    </>
  );
}

const columns: DataColumn<AgentSummary>[] = [
  {
    name: 'Host',
    heading: <Term of="host">Host</Term>,
    isRowHeader: true,
    style: { minWidth: 170, overflowWrap: 'anywhere' },
    sortBy: ({ name }) => name,
    cell: (agent) => <Host agent={agent} />,
  },
  {
    name: 'State',
    style: { whiteSpace: 'nowrap' },
    sortBy: describeAgentState,
    cell: (agent) => <StateDot state={agent.isConnected ? 'good' : 'idle'} label={describeAgentState(agent)} />,
  },
  {
    name: 'Engines',
    heading: <Term of="engine">Engines</Term>,
    cell: ({ facts }) => <Engines engines={facts.engines} />,
  },
  { name: 'Interfaces', isMinor: true, cell: ({ facts }) => <Interfaces interfaces={facts.interfaces} /> },
  {
    name: 'Scripts',
    isMinor: true,
    style: { whiteSpace: 'nowrap' },
    cell: ({ facts }) => (facts.scriptsAllowed ? 'allowed' : <Dimmed>not allowed</Dimmed>),
  },
  { name: 'Testbed', isMinor: true, cell: ({ facts }) => facts.testbed?.backend ?? <Dimmed>none</Dimmed> },
  {
    name: 'Clock offset',
    heading: <Term of="clockOffset">Clock offset</Term>,
    isNumeric: true,
    sortBy: ({ clockOffsetMs }) => clockOffsetMs,
    cell: ({ clockOffsetMs, clockErrorMs }) => <ClockOffset offsetMs={clockOffsetMs} errorMs={clockErrorMs} />,
  },
  {
    name: 'Last seen',
    isMinor: true,
    isNumeric: true,
    sortBy: ({ isConnected, lastSeenAt }) => (isConnected ? 'now' : lastSeenAt),
    cell: ({ isConnected, lastSeenAt }) => (isConnected ? 'now' : <TimeAgo time={lastSeenAt} />),
  },
  {
    name: 'Actions',
    isActions: true,
    isNumeric: true,
    widthPx: 90,
    cell: (agent) => <RevokeHostButton agent={agent} />,
  },
];

function Host({ agent: { name, agentVersion, facts } }: { agent: AgentSummary }) {
  return (
    <>
      {name}
      <Text size="xs" c="dimmed" fw={400}>
        {facts.platform} {facts.architecture}, {formatCount(facts.cpuCount, 'CPU')},{' '}
        {facts.memoryBytes !== null && `${Math.round(facts.memoryBytes / 2 ** 30)} GiB, `}Agent {agentVersion}
        {facts.bySsh !== undefined && `, by SSH (${facts.bySsh})`}
      </Text>
    </>
  );
}

function Engines({ engines }: Pick<AgentSummary['facts'], 'engines'>) {
  if (engines.length === 0) {
    return (
      <Text span size="sm" c="var(--mantine-color-error)">
        none found
      </Text>
    );
  }
  return engines.map(({ engine, version }) => (
    <div key={engine}>
      {engine}{' '}
      <Text span size="sm" c="dimmed">
        {version}
      </Text>
    </div>
  ));
}

function Interfaces({ interfaces }: Pick<AgentSummary['facts'], 'interfaces'>) {
  return interfaces.map(({ name, addresses }) => (
    <Tooltip key={name} label={addresses.join(', ') || 'no address'}>
      <Text size="sm" tabIndex={0} w="fit-content">
        {name}{' '}
        <Text span size="sm" c="dimmed">
          {addresses[0]}
        </Text>
      </Text>
    </Tooltip>
  ));
}

function Dimmed({ children }: { children: string }) {
  return (
    <Text span c="dimmed" inherit>
      {children}
    </Text>
  );
}

interface ClockOffsetProps {
  offsetMs: number | null;
  errorMs: number | null;
}

function ClockOffset({ offsetMs, errorMs }: ClockOffsetProps) {
  if (offsetMs === null) return <AbsentValue reason="The Agent’s clock has not been read yet." />;
  const error = errorMs === null ? '' : ` ${formatClockError(errorMs)}`;
  return `${formatNumber(offsetMs, 1)}\u00A0ms${error}`;
}

/** The hosts that have every word in what their row shows. */
export function findAgents(agents: readonly AgentSummary[], words: string): readonly AgentSummary[] {
  const sought = splitWords(words.toLowerCase());
  if (sought.length === 0) return agents;
  return agents.filter((agent) => {
    const { name, facts } = agent;
    const shown = [
      name,
      describeAgentState(agent),
      facts.platform,
      ...facts.engines.flatMap(({ engine, version }) => [engine, version]),
      ...facts.interfaces.flatMap((each) => [each.name, ...each.addresses]),
    ];
    const text = shown.join('\n').toLowerCase();
    return sought.every((word) => text.includes(word));
  });
}

function RevokeHostButton({ agent: { name, tokenSharedWith } }: { agent: AgentSummary }) {
  const revoking = useMutation({ mutationFn: () => revokeAgent(name), onSettled: useRefresh(['agents'], ['tokens']) });
  const others =
    tokenSharedWith === 0
      ? ''
      : ` ${tokenSharedWith === 1 ? 'Another host has the same token and is' : `${tokenSharedWith} other hosts have the same token and are`} disconnected too.`;
  return (
    <NeedsRole role="evaluator">
      <ConfirmButton
        size="compact-sm"
        fw={400}
        c="dimmed"
        color="gray"
        title={`Revoke the host “${name}”?`}
        consequence={`This revokes its token and disconnects its Agent at once, even during a Run.${others} Its measurements stay. To use it again, add it again.`}
        loading={revoking.isPending}
        onConfirm={() => revoking.mutate()}
        aria-label={`Revoke ${name}`}
      >
        Revoke
      </ConfirmButton>
    </NeedsRole>
  );
}

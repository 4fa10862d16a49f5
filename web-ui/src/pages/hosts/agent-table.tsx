import { Table, Text, Tooltip } from '@mantine/core';
import type { AgentSummary } from '#core/protocol/api/access.ts';
import { ActionsHeader } from '../../components/actions-header.tsx';
import { StateDot } from '../../components/state-dot.tsx';
import { Term } from '../../components/term.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { ClockOffset } from './clock-offset.tsx';
import { RevokeHostButton } from './revoke-host-button.tsx';

export function AgentTable({ agents }: { agents: AgentSummary[] }) {
  return (
    <Table.ScrollContainer minWidth={980}>
      <Table highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>
              <Term of="host">Host</Term>
            </Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th>
              <Term of="engine">Engines</Term>
            </Table.Th>
            <Table.Th>Interfaces</Table.Th>
            <Table.Th>Scripts</Table.Th>
            <Table.Th>Testbed</Table.Th>
            <Table.Th className="numeric">
              <Term of="clockOffset">Clock offset</Term>
            </Table.Th>
            <Table.Th className="numeric">Last seen</Table.Th>
            <ActionsHeader widthPx={90} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {agents.map((agent) => (
            <AgentRow key={agent.name} agent={agent} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function AgentRow({ agent }: { agent: AgentSummary }) {
  const { facts } = agent;
  return (
    <Table.Tr>
      <Table.Th scope="row">
        {agent.name}
        <Text size="xs" c="dimmed" fw={400}>
          {facts.platform} {facts.architecture}, {facts.cpuCount} CPUs,{' '}
          {facts.memoryBytes !== null && `${Math.round(facts.memoryBytes / 2 ** 30)} GiB, `}Agent {agent.agentVersion}
        </Text>
      </Table.Th>
      <Table.Td>
        <StateDot
          state={agent.isConnected ? 'good' : 'idle'}
          label={agent.isConnected ? 'connected' : 'not connected'}
        />
      </Table.Td>
      <Table.Td>
        {facts.engines.length === 0 ? (
          <Text span size="sm" c="var(--mantine-color-error)">
            none found
          </Text>
        ) : (
          facts.engines.map(({ engine, version }) => (
            <div key={engine}>
              {engine}{' '}
              <Text span size="sm" c="dimmed">
                {version}
              </Text>
            </div>
          ))
        )}
      </Table.Td>
      <Table.Td>
        {facts.interfaces.map(({ name, addresses }) => (
          <Tooltip key={name} label={addresses.join(', ') || 'no address'}>
            <Text size="sm" tabIndex={0} w="fit-content">
              {name}{' '}
              <Text span size="sm" c="dimmed">
                {addresses[0]}
              </Text>
            </Text>
          </Tooltip>
        ))}
      </Table.Td>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>
        {facts.scriptsAllowed ? (
          'allowed'
        ) : (
          <Text span c="dimmed" inherit>
            not allowed
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        {facts.testbed?.backend ?? (
          <Text span c="dimmed" inherit>
            none
          </Text>
        )}
      </Table.Td>
      <Table.Td className="numeric">
        <ClockOffset offsetMs={agent.clockOffsetMs} errorMs={agent.clockErrorMs} />
      </Table.Td>
      <Table.Td className="numeric">{agent.isConnected ? 'now' : <TimeAgo time={agent.lastSeenAt} />}</Table.Td>
      <Table.Td className="numeric">
        <RevokeHostButton agent={agent} />
      </Table.Td>
    </Table.Tr>
  );
}

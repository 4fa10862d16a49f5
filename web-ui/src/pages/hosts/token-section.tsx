import { Table, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { TokenSummary } from '#core/protocol/api/access.ts';
import { tokensQuery } from '../../api/queries.ts';
import { revokeToken } from '../../api/tokens.ts';
import { AbsentValue } from '../../components/absent-value.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { Section } from '../../components/section.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';

/** The tokens that let Agents join, and a way to take one back. */
export function TokenSection() {
  const query = useQuery(tokensQuery);
  return (
    <Section title="Tokens">
      <QueryContent query={query} what="The tokens">
        {(tokens) => {
          const valid = tokens.filter((token) => token.revokedAt === null);
          return valid.length > 0 ? <TokenTable tokens={valid} /> : <Text c="dimmed">None. Adding a host makes one.</Text>;
        }}
      </QueryContent>
    </Section>
  );
}

function TokenTable({ tokens }: { tokens: TokenSummary[] }) {
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Name</Table.Th>
          <Table.Th>For</Table.Th>
          <Table.Th className="numeric">Made</Table.Th>
          <Table.Th className="numeric">Last used</Table.Th>
          <Table.Th w={110} aria-label="Actions" />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {tokens.map((token) => (
          <Table.Tr key={token.id}>
            <Table.Th scope="row">{token.name}</Table.Th>
            <Table.Td>{token.scope === 'agent' ? 'Agents' : 'the API'}</Table.Td>
            <Table.Td className="numeric">
              <TimeAgo time={token.createdAt} />
            </Table.Td>
            <Table.Td className="numeric">{token.lastUsedAt ? <TimeAgo time={token.lastUsedAt} /> : <AbsentValue reason="It has not been used yet." />}</Table.Td>
            <Table.Td className="numeric">
              <RevokeButton token={token} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function RevokeButton({ token }: { token: TokenSummary }) {
  const queryClient = useQueryClient();
  const revoking = useMutation({
    mutationFn: () => revokeToken(token.id),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['tokens'] }),
  });
  return (
    <ConfirmButton
      size="compact-sm"
      fw={400}
      c="dimmed"
      color="gray"
      title={`Revoke the token “${token.name}”?`}
      consequence="An Agent that uses it is refused from its next connection on."
      loading={revoking.isPending}
      onConfirm={() => revoking.mutate()}
      aria-label={`Revoke ${token.name}`}
    >
      Revoke
    </ConfirmButton>
  );
}

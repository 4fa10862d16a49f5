import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMayDo } from '../../../access/use-role.ts';
import { tokensQuery } from '../../../api/queries.ts';
import { EmptyState } from '../../../components/empty-state.tsx';
import { QueryContent } from '../../../components/query-content.tsx';
import { Section } from '../../../components/section.tsx';
import { MakeTokenButton } from './make-token-button.tsx';
import { TokenTable } from './token-table.tsx';

/** The tokens by which programs and Agents are let in, and a way to take each back. */
export function TokenPanel() {
  if (!useMayDo('evaluator'))
    return (
      <EmptyState title="Not for viewers">
        Programs and Agents sign in with tokens. Evaluators create and revoke them. An admin can give you that role.
      </EmptyState>
    );
  return <Tokens />;
}

function Tokens() {
  const query = useQuery(tokensQuery);
  return (
    <QueryContent query={query} what="The tokens">
      {(tokens) => {
        const valid = tokens.filter((token) => token.revokedAt === null);
        const ofPrograms = valid.filter(({ scope }) => scope === 'api');
        const ofAgents = valid.filter(({ scope }) => scope === 'agent');
        return (
          <Stack gap="xl">
            <Section title="For programs" beside={<MakeTokenButton />}>
              {ofPrograms.length > 0 ? (
                <TokenTable tokens={ofPrograms} />
              ) : (
                <Text c="dimmed">None. Programs and commands on other machines send one with each request.</Text>
              )}
            </Section>
            <Section title="For Agents">
              {ofAgents.length > 0 ? (
                <TokenTable tokens={ofAgents} />
              ) : (
                <Text c="dimmed">None. Adding a host creates one.</Text>
              )}
            </Section>
          </Stack>
        );
      }}
    </QueryContent>
  );
}

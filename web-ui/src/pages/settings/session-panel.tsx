import { Table, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { SessionSummary } from '#core/protocol/api/access.ts';
import { useMayDo } from '../../access/use-role.ts';
import { endSession } from '../../api/settings.ts';
import { sessionsQuery } from '../../api/settings-queries.ts';
import { ActionsHeader } from '../../components/actions-header.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { Section } from '../../components/section.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { describeBrowser } from './describe-browser.ts';

/** Where one is signed in; an admin sees where everybody is. */
export function SessionPanel() {
  const isAdmin = useMayDo('admin');
  const query = useQuery(sessionsQuery(isAdmin ? 'everybody' : 'own'));
  return (
    <Section title={isAdmin ? 'All sessions' : 'Your sessions'}>
      <QueryContent query={query} what="The sessions">
        {(sessions) => (
          <Table.ScrollContainer minWidth={680}>
            <Table highlightOnHover>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Person</Table.Th>
                  <Table.Th>Role</Table.Th>
                  <Table.Th>Browser</Table.Th>
                  <Table.Th className="numeric">Signed in</Table.Th>
                  <Table.Th className="numeric">Last used</Table.Th>
                  <ActionsHeader widthPx={90} />
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {sessions.map((session) => (
                  <SessionRow key={session.id} session={session} />
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </QueryContent>
    </Section>
  );
}

function SessionRow({ session }: { session: SessionSummary }) {
  const { id, evaluatorName, role, browser, createdAt, lastUsedAt, isOwn } = session;
  const queryClient = useQueryClient();
  const ending = useMutation({
    mutationFn: () => endSession(id),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['sessions'] }),
  });
  const name = evaluatorName ?? 'No account yet';
  return (
    <Table.Tr>
      <Table.Th scope="row">{name}</Table.Th>
      <Table.Td>{role}</Table.Td>
      <Table.Td title={browser ?? undefined}>{describeBrowser(browser)}</Table.Td>
      <Table.Td className="numeric">
        <TimeAgo time={createdAt} />
      </Table.Td>
      <Table.Td className="numeric">
        <TimeAgo time={lastUsedAt} />
      </Table.Td>
      <Table.Td className="numeric">
        {isOwn ? (
          <Text span size="sm" c="dimmed">
            this one
          </Text>
        ) : (
          <ConfirmButton
            size="compact-sm"
            fw={400}
            c="dimmed"
            color="gray"
            title={`End this session of ${name}?`}
            consequence="That browser must sign in again."
            loading={ending.isPending}
            onConfirm={() => ending.mutate()}
            aria-label={`End the session of ${name} in ${describeBrowser(browser)}`}
          >
            End
          </ConfirmButton>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

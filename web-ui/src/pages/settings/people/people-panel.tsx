import { Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { peopleQuery } from '../../../api/settings-queries.ts';
import { EmptyState } from '../../../components/empty-state.tsx';
import { QueryContent } from '../../../components/query-content.tsx';
import { Section } from '../../../components/section.tsx';
import { InvitationTable } from './invitation-table.tsx';
import { InviteButton } from './invite-button.tsx';
import { PersonTable } from './person-table.tsx';

export function PeoplePanel() {
  const query = useQuery(peopleQuery);
  return (
    <QueryContent query={query} what="The people">
      {({ people, invitations }) => (
        <Stack gap="xl">
          <Section
            title="People"
            beside={
              people.length > 0 ? (
                <Group>
                  <InviteButton />
                </Group>
              ) : null
            }
          >
            {people.length > 0 ? (
              <PersonTable people={people} />
            ) : (
              <EmptyState title="Nobody has an account yet" action={<InviteButton />}>
                Choose your name and password under “You”. Then invite others, each with a one-time link.
              </EmptyState>
            )}
          </Section>
          {invitations.length > 0 && (
            <Section title="Unused links">
              <InvitationTable invitations={invitations} />
            </Section>
          )}
        </Stack>
      )}
    </QueryContent>
  );
}

import { Tabs, Group, Stack, Button, Text } from '@mantine/core';
import { useParams, Link } from 'react-router';
import { PageHeader } from '../../components/page-header.tsx';
import { RetentionPanel } from './retention-panel.tsx';
import { SessionPanel } from './session-panel.tsx';
import type { ReactNode } from 'react';
import { useMayDo, useRole, roleAbility } from '../../access/use-role.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { useQuery, useMutation } from '@tanstack/react-query';
import { peopleQuery } from '../../api/settings-queries.ts';
import { QueryContent } from '../../components/query-content.tsx';
import { Section } from '../../components/section.tsx';
import { InviteButton } from './people/invite-button.tsx';
import { PersonTable } from './people/person-table.tsx';
import { sessionQuery, tokensQuery } from '../../api/queries.ts';
import { Facts } from '../../components/facts.tsx';
import { PasswordForm } from './password-form.tsx';
import type { Invitation } from '#core/protocol/api/people.ts';
import { withdrawInvitation } from '../../api/people-requests.ts';
import { useRefresh } from '../../api/use-refresh.ts';
import { RowConfirmButton } from '../../components/confirm-button.tsx';
import { DataTable, type DataColumn } from '../../components/data-table.tsx';
import { formatTime } from '../../format/format-times.ts';
import { MakeTokenButton } from './tokens/make-token-button.tsx';
import { TokenTable } from './tokens/token-table.tsx';
import { TabLink } from '../../components/tab-link.tsx';
import { AuditPanel } from './audit/audit-panel.tsx';
import { NotFoundPage } from '../not-found/not-found-page.tsx';

const creatorOf = ({ madeBy }: Invitation) => madeBy ?? 'The Controller, at start';
const purposeOf = ({ role, person }: Invitation) =>
  person === null ? `a new ${role}` : `a new password for ${person}`;

const columns: DataColumn<Invitation>[] = [
  { name: 'Created by', isRowHeader: true, sortBy: creatorOf, cell: creatorOf },
  { name: 'For', sortBy: purposeOf, cell: purposeOf },
  {
    name: 'Valid until',
    isNumeric: true,
    sortBy: ({ expiresAt }) => expiresAt,
    cell: ({ expiresAt }) => formatTime(expiresAt),
  },
  {
    name: 'Actions',
    isActions: true,
    isNumeric: true,
    widthPx: 110,
    cell: (invitation) => <WithdrawButton invitation={invitation} />,
  },
];

/** By the end of their address. */
const views = {
  account: 'You',
  sessions: 'Sessions',
  tokens: 'Tokens',
  people: 'People',
  audit: 'Audit log',
  retention: 'Retention',
};

/** Who may do what? */
export function SettingsPage() {
  const { view = 'account' } = useParams();
  if (!Object.hasOwn(views, view)) return <NotFoundPage />;
  return (
    <>
      <PageHeader title="Settings" />
      <Tabs value={view} keepMounted={false}>
        <Tabs.List mb="lg">
          {Object.entries(views).map(([value, label]) => (
            <TabLink key={value} value={value} to={value === 'account' ? '/settings' : `/settings/${value}`}>
              {label}
            </TabLink>
          ))}
        </Tabs.List>
        <Tabs.Panel value="account">
          <AccountPanel />
        </Tabs.Panel>
        <Tabs.Panel value="sessions">
          <SessionPanel />
        </Tabs.Panel>
        <Tabs.Panel value="tokens">
          <TokenPanel />
        </Tabs.Panel>
        <Tabs.Panel value="people">
          <AdminOnly what="accounts and invitations">
            <PeoplePanel />
          </AdminOnly>
        </Tabs.Panel>
        <Tabs.Panel value="audit">
          <AdminOnly what="all actions and scripts">
            <AuditPanel />
          </AdminOnly>
        </Tabs.Panel>
        <Tabs.Panel value="retention">
          <RetentionPanel />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

/** What only an admin sees; others see a notice. `what`: as in "Admins see …". */
function AdminOnly({ what, children }: { what: string; children: ReactNode }) {
  const role = useRole();
  if (useMayDo('admin')) return children;
  return (
    <EmptyState title="Only for admins">
      Admins see {what}. Your role is {role}; an admin can change it.
    </EmptyState>
  );
}

function PeoplePanel() {
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
                Create an account under “You”. Then invite others, each with a one-time link.
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

/** Who one is here, and the own password. */
function AccountPanel() {
  const { data: session } = useQuery(sessionQuery);
  if (!session) return null;
  const { evaluatorName, role } = session;
  const choose = (
    <Button component={Link} to="/sign-in?account">
      Create an account
    </Button>
  );
  return (
    <Stack gap="xl">
      <Stack gap="xs">
        <Facts
          facts={[
            { label: 'Name', value: evaluatorName ?? 'none yet' },
            { label: 'Role', value: role },
          ]}
        />
        <Text c="dimmed" size="sm">
          {roleAbility[role]}
        </Text>
      </Stack>
      {evaluatorName === null ? (
        <EmptyState title="You signed in with a one-time link" action={choose}>
          The link works only once. Choose a name and a password to sign in again.
        </EmptyState>
      ) : (
        <Section title="Password">
          <PasswordForm name={evaluatorName} />
        </Section>
      )}
    </Stack>
  );
}

function InvitationTable({ invitations }: { invitations: Invitation[] }) {
  return <DataTable rows={invitations} columns={columns} rowKey={({ id }) => id} minWidthPx={560} />;
}

function WithdrawButton({ invitation }: { invitation: Invitation }) {
  const withdrawing = useMutation({
    mutationFn: () => withdrawInvitation(invitation.id),
    onSettled: useRefresh(['people']),
  });
  return (
    <RowConfirmButton
      title="Withdraw this link?"
      consequence="It stops working at once."
      loading={withdrawing.isPending}
      onConfirm={() => withdrawing.mutate()}
      aria-label={`Withdraw the link for ${purposeOf(invitation)}`}
    >
      Withdraw
    </RowConfirmButton>
  );
}

/** The tokens by which programs and Agents are let in, and a way to take each back. */
function TokenPanel() {
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

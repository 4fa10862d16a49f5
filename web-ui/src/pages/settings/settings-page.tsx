import { Tabs, Group, Stack, Button, Text, NativeSelect, TextInput } from '@mantine/core';
import { useNavigate, useParams, Link, useSearchParams } from 'react-router';
import { PageHeader } from '../../components/page-header.tsx';
import { RetentionPanel } from './retention-panel.tsx';
import { SessionPanel } from './session-panel.tsx';
import type { ReactNode } from 'react';
import { useMayDo, useRole, roleAbility } from '../../access/use-role.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { useQuery, useMutation, useInfiniteQuery } from '@tanstack/react-query';
import { peopleQuery, auditQuery } from '../../api/settings-queries.ts';
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
import { useDebouncedValue } from '@mantine/hooks';
import { NextPageButton } from '../../components/next-page-button.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { RowsSkeleton } from '../../components/rows-skeleton.tsx';
import { auditActions } from './audit/audit-actions.ts';
import { AuditTable } from './audit/audit-table.tsx';

const typingPauseMs = 300;
const actions = [
  { value: '', label: 'Everything' },
  ...Object.entries(auditActions).map(([value, label]) => ({ value, label })),
];

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

/** Who may do what? */
export function SettingsPage() {
  const { view = 'account' } = useParams();
  const navigate = useNavigate();
  return (
    <>
      <PageHeader title="Settings" />
      <Tabs
        value={view}
        onChange={(next) => void navigate(next === 'account' || next === null ? '/settings' : `/settings/${next}`)}
        keepMounted={false}
      >
        <Tabs.List mb="lg">
          <Tabs.Tab value="account">You</Tabs.Tab>
          <Tabs.Tab value="sessions">Sessions</Tabs.Tab>
          <Tabs.Tab value="tokens">Tokens</Tabs.Tab>
          <Tabs.Tab value="people">People</Tabs.Tab>
          <Tabs.Tab value="audit">Audit log</Tabs.Tab>
          <Tabs.Tab value="retention">Retention</Tabs.Tab>
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

/** Who one is here, and the own password. */
function AccountPanel() {
  const { data: session } = useQuery(sessionQuery);
  if (!session) return null;
  const { evaluatorName, role } = session;
  const choose = (
    <Button component={Link} to="/sign-in?account">
      Choose a name and password
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

/** Who did what. The filter is part of the address, so that it can be shared. */
function AuditPanel() {
  const [search, setSearch] = useSearchParams();
  const filter = { action: search.get('action') ?? '', text: search.get('text') ?? '' };
  const [settled] = useDebouncedValue(filter, typingPauseMs, { leading: true });
  const query = useInfiniteQuery({ ...auditQuery(settled), placeholderData: (shown) => shown });
  const change = (part: Partial<typeof filter>) =>
    setSearch(Object.fromEntries(Object.entries({ ...filter, ...part }).filter(([, value]) => value !== '')), {
      replace: true,
    });
  const entries = query.data?.pages.flatMap((page) => page.entries);

  return (
    <Stack>
      <Group align="flex-end">
        <NativeSelect
          label="Action"
          data={actions}
          value={filter.action}
          onChange={(event) => change({ action: event.currentTarget.value })}
          w={220}
        />
        <TextInput
          label="Person, subject or script"
          value={filter.text}
          onChange={(event) => change({ text: event.currentTarget.value })}
          maxLength={200}
          w={280}
        />
      </Group>
      {query.error && !query.isFetchNextPageError && (
        <ProblemAlert title="The audit log cannot be shown" error={query.error} onRetry={() => void query.refetch()} />
      )}
      {!entries && !query.error && <RowsSkeleton />}
      {entries?.length === 0 && (
        <Text c="dimmed">{filter.action || filter.text ? 'No matching entries.' : 'No entries yet.'}</Text>
      )}
      {entries && entries.length > 0 && <AuditTable entries={entries} />}
      <NextPageButton query={query}>Show earlier entries</NextPageButton>
    </Stack>
  );
}

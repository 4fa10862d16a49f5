import { Tabs } from '@mantine/core';
import { useNavigate, useParams } from 'react-router';
import { PageHeader } from '../../components/page-header.tsx';
import { AccountPanel } from './account-panel.tsx';
import { AdminOnly } from './admin-only.tsx';
import { AuditPanel } from './audit/audit-panel.tsx';
import { PeoplePanel } from './people/people-panel.tsx';
import { RetentionPanel } from './retention-panel.tsx';
import { SessionPanel } from './session-panel.tsx';
import { TokenPanel } from './tokens/token-panel.tsx';

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

import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { TestbedState } from '#core/protocol/api/testbed-state.ts';
import { NeedsRole } from '../access/needs-role.tsx';
import { endTestbed, startTestbed } from '../api/agent-requests.ts';
import { testbedQuery } from '../api/queries.ts';
import { useRefresh } from '../api/use-refresh.ts';
import { ConfirmButton } from './confirm-button.tsx';
import { StateDot } from './state-dot.tsx';

function describeState(testbed: Extract<TestbedState, { kind: 'on' | 'starting' }>): string {
  if (testbed.kind === 'on') return 'The testbed is on';
  return testbed.step === '' ? 'The testbed starts' : `The testbed starts: ${testbed.step}`;
}

interface TestbedSwitchProps {
  /** What to do where this Controller cannot start one, and why. */
  renderUnavailable?: (reason: string) => ReactNode;
}

/** Starts the testbed of the Controller's machine, shows how far it is, and ends it. */
export function TestbedSwitch({ renderUnavailable = () => null }: TestbedSwitchProps) {
  const { data: testbed } = useQuery(testbedQuery);
  const readAgain = useRefresh(testbedQuery.queryKey);
  const starting = useMutation({ mutationFn: startTestbed, onSettled: readAgain });
  const ending = useMutation({ mutationFn: endTestbed, onSettled: readAgain });
  if (testbed === undefined) return null;
  if (testbed.kind === 'unavailable') return renderUnavailable(testbed.reason);
  if (testbed.kind === 'off')
    return (
      <Stack gap={4}>
        <Group gap="sm">
          <NeedsRole role="admin">
            <Button size="xs" variant="default" onClick={() => starting.mutate()} loading={starting.isPending}>
              Start the testbed
            </Button>
          </NeedsRole>
          <Text size="sm" c="dimmed">
            An emulated link on the Controller’s machine, with test pages
          </Text>
        </Group>
        {testbed.reason !== null && (
          <Text size="sm" c="red" role="alert" style={{ whiteSpace: 'pre-line' }}>
            The testbed has ended: {testbed.reason}
          </Text>
        )}
      </Stack>
    );
  return (
    <Group gap="sm" aria-live="polite">
      <StateDot state={testbed.kind === 'on' ? 'good' : 'active'} label={describeState(testbed)} />
      <NeedsRole role="admin">
        <ConfirmButton
          size="compact-sm"
          title="End the testbed?"
          consequence="Its hosts leave. A Run that uses them cannot continue."
          onConfirm={() => ending.mutate()}
          loading={ending.isPending}
        >
          End
        </ConfirmButton>
      </NeedsRole>
    </Group>
  );
}

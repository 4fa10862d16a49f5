import { Button, Group, NumberInput, Popover, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Section } from '../../../../components/section.tsx';
import { Term } from '../../../../components/terms/term.tsx';
import { findFreeName } from '../../editor/find-free-name.ts';
import { useEditor, useField } from '../../editor/editor-context.ts';
import { readKeys, readList, readText } from '../../editor/path.ts';
import { UserAgentFields } from './user-agent-fields.tsx';

/** Who loads: every User Agent, on the hosts and with the engines that are there. */
export function UserAgentsSection() {
  const { input, agents, change } = useEditor();
  const { error } = useField(['userAgents']);
  const [count, setCount] = useState<number | string>(4);
  const userAgents = readList(input, ['userAgents']);
  const names = userAgents.map((userAgent) => readText(userAgent, ['name']));
  const add = (howMany: number) => {
    const last = userAgents.at(-1);
    const model =
      typeof last === 'object' && last !== null
        ? last
        : {
            host: agents?.find(({ isConnected }) => isConnected)?.name ?? '',
            urlList: readKeys(input, ['urlLists'])[0] ?? '',
          };
    const added = names.slice();
    const made = Array.from({ length: howMany }, () => {
      const name = findFreeName(added.at(-1) ?? 'User 1', added);
      added.push(name);
      // An OS user and an address are one User Agent's own.
      return { ...model, name, osUser: undefined, sourceAddress: undefined };
    });
    change(made.map((userAgent, index) => ({ path: ['userAgents', userAgents.length + index], value: userAgent })));
  };
  return (
    <Section title={<Term of="userAgent">User Agents</Term>}>
      {error && (
        <Text size="sm" c="var(--mantine-color-error)">
          {error}
        </Text>
      )}
      <Stack gap="xs">
        {userAgents.map((userAgent, index) => (
          <UserAgentFields key={index} index={index} userAgent={userAgent} isOnly={userAgents.length === 1} />
        ))}
      </Stack>
      <datalist id="user-classes">
        {[...new Set(userAgents.map((userAgent) => readText(userAgent, ['userClass'])))]
          .filter(Boolean)
          .map((userClass) => (
            <option key={userClass} value={userClass} />
          ))}
      </datalist>
      <Group gap="xs">
        <Button size="compact-sm" variant="default" onClick={() => add(1)}>
          Add a User Agent
        </Button>
        <Popover position="bottom-start" withArrow trapFocus>
          <Popover.Target>
            <Button size="compact-sm" variant="subtle">
              Add several
            </Button>
          </Popover.Target>
          <Popover.Dropdown>
            <Group align="flex-end" gap="xs">
              <NumberInput
                label="Copies of the last User Agent"
                value={count}
                onChange={setCount}
                min={1}
                max={200}
                allowDecimal={false}
                w={200}
              />
              <Button onClick={() => add(Math.min(200, Math.max(1, Number(count) || 1)))}>Add</Button>
            </Group>
          </Popover.Dropdown>
        </Popover>
      </Group>
    </Section>
  );
}

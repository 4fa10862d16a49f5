import { Button, Group, NumberInput, Popover, Stack, ActionIcon, Collapse, Paper } from '@mantine/core';
import { useState } from 'react';
import { Section } from '../../../components/section.tsx';
import { Term } from '../../../components/terms/term.tsx';
import { findFreeName } from '../editor/find-free-name.ts';
import { useEditor, useField } from '../editor/editor-context.ts';
import { readKeys, readList, readText, readPath, isWithin, type Path } from '../editor/path.ts';
import { useDisclosure } from '@mantine/hooks';
import { engineNames } from '#core/evaluation/users/user-agent.ts';
import { ChoiceField } from '../fields/choice-field.tsx';
import { FieldsRow } from '../fields/fields-row.tsx';
import { TextField } from '../fields/text-field.tsx';
import { RestSchema } from '#core/evaluation/users/rest.ts';
import { NumberField } from '../fields/number-field.tsx';
import { RestField } from '../fields/rest-field.tsx';
import { ErrorText } from '../fields/error-text.tsx';

const fields = ['visitsPerUrl', 'restMs', 'startOffsetMs'];

interface UserAgentFieldsProps {
  index: number;
  userAgent: unknown;
  isOnly: boolean;
}

const identityFields = ['osUser', 'sourceAddress', 'interface'];

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
      <ErrorText error={error} />
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

/** One User Agent. Hosts, engines and interfaces are those that the Agents reported. */
function UserAgentFields({ index, userAgent, isOnly }: UserAgentFieldsProps) {
  const { input, agents = [], issues, change } = useEditor();
  const path = ['userAgents', index];
  const hasIdentity = identityFields.some((field) => readPath(userAgent, [field]) !== undefined);
  const isIdentityWrong = issues.some(
    (issue) =>
      issue.path[0] === 'userAgents' && issue.path[1] === index && identityFields.includes(String(issue.path[2])),
  );
  const [isOpen, { toggle }] = useDisclosure(hasIdentity);
  const agent = agents.find(({ name }) => name === readText(userAgent, ['host']));
  const hosts = agents.map(({ name, isConnected }) => ({
    value: name,
    label: name,
    note: isConnected ? undefined : 'not connected',
  }));
  const engines = engineNames.map((engine) => {
    const found = agent?.facts.engines.find((each) => each.engine === engine);
    return {
      value: engine,
      label: engine,
      note: found || !agent ? undefined : 'not installed',
      disabled: agent !== undefined && !found,
    };
  });
  const listId = `addresses-${index}`;
  const isShown = isOpen || isIdentityWrong;
  const name = readText(userAgent, ['name']);
  return (
    <Paper withBorder px="sm" py={8} radius="md" role="group" aria-label={name || `User Agent ${index + 1}`}>
      <Group align="flex-start" wrap="nowrap" gap="xs">
        <div style={{ flex: 1 }}>
          <FieldsRow least="6.4rem">
            <TextField path={[...path, 'name']} label="Name" isRequired />
            <ChoiceField path={[...path, 'host']} label="Host" choices={hosts} placeholder="no Agent yet" />
            <ChoiceField path={[...path, 'engine']} label="Engine" choices={engines} byDefault="chrome" />
            <ChoiceField path={[...path, 'urlList']} label="URL list" choices={readKeys(input, ['urlLists'])} />
            <TextField path={[...path, 'userClass']} label="Class" placeholder="none" list="user-classes" />
          </FieldsRow>
        </div>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={34}
          mt={25}
          disabled={isOnly}
          aria-label={`Remove ${name}`}
          onClick={() => change([{ path, value: undefined }])}
        >
          ✕
        </ActionIcon>
      </Group>
      <Button
        size="compact-xs"
        variant="subtle"
        color="gray"
        onClick={toggle}
        aria-expanded={isShown}
        mt={4}
        mr="sm"
        px={0}
      >
        {isShown ? '▾' : '▸'} Own address
      </Button>
      <Collapse expanded={isShown}>
        <FieldsRow least="11rem">
          <TextField
            path={[...path, 'osUser']}
            label="OS user"
            takesNumbers
            placeholder="the Agent’s"
            description="Its browser runs as this user. The Agent must be root."
          />
          <TextField
            path={[...path, 'sourceAddress']}
            label="Source address"
            placeholder="the host’s"
            description="Required to capture its packets."
            list={listId}
          />
          <ChoiceField
            path={[...path, 'interface']}
            label="Interface"
            isOptional
            placeholder="that of the address"
            description="Its traffic uses this interface."
            choices={agent?.facts.interfaces.map((each) => each.name) ?? []}
          />
        </FieldsRow>
      </Collapse>
      <RhythmFields path={path} />
      <datalist id={listId}>
        {agent?.facts.interfaces.flatMap((each) =>
          each.addresses.map((address) => (
            <option key={`${each.name} ${address}`} value={address.split('/')[0]} label={each.name} />
          )),
        )}
      </datalist>
    </Paper>
  );
}

/** When one User Agent loads its pages, and how often. What it does not say, the page load says. */
function RhythmFields({ path }: { path: Path }) {
  const { input, issues } = useEditor();
  const paths = fields.map((field) => [...path, field]);
  const [isOpen, { toggle }] = useDisclosure(paths.some((each) => readPath(input, each) !== undefined));
  const isWrong = issues.some((issue) => paths.some((each) => isWithin(issue.path, each)));
  const isShown = isOpen || isWrong;
  const visitsPerUrl = readPath(input, ['pageLoad', 'visitsPerUrl']);
  return (
    <>
      <Button size="compact-xs" variant="subtle" color="gray" onClick={toggle} aria-expanded={isShown} mt={4} px={0}>
        {isShown ? '▾' : '▸'} Own rhythm
      </Button>
      <Collapse expanded={isShown}>
        <FieldsRow least="9rem">
          <NumberField
            path={[...path, 'visitsPerUrl']}
            label="Visits of each URL"
            byDefault={typeof visitsPerUrl === 'number' ? visitsPerUrl : 1}
          />
          <RestField
            path={[...path, 'restMs']}
            byDefault={RestSchema.safeParse(readPath(input, ['pageLoad', 'restMs'])).data ?? 400}
          />
          <NumberField path={[...path, 'startOffsetMs']} label="Starts later by" unit="ms" byDefault={0} />
        </FieldsRow>
      </Collapse>
    </>
  );
}

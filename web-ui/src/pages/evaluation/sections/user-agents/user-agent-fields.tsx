import { ActionIcon, Button, Collapse, Group, Paper } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { engineNames } from '#core/evaluation/users/user-agent.ts';
import { RhythmFields } from './rhythm-fields.tsx';
import { useEditor } from '../../editor/editor-context.ts';
import { readKeys, readPath, readText } from '../../editor/path.ts';
import { ChoiceField } from '../../fields/choice-field.tsx';
import { FieldsRow } from '../../fields/fields-row.tsx';
import { TextField } from '../../fields/text-field.tsx';

interface UserAgentFieldsProps {
  index: number;
  userAgent: unknown;
  isOnly: boolean;
}

const identityFields = ['osUser', 'sourceAddress', 'interface'];

/** One User Agent. Hosts, engines and interfaces are those that the Agents reported. */
export function UserAgentFields({ index, userAgent, isOnly }: UserAgentFieldsProps) {
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

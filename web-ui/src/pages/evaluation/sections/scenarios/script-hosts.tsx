import { Alert } from '@mantine/core';
import { useEditor } from '../../editor/editor-context.ts';

/** The hosts that scripts and processes can be on. */
export function useScriptHosts() {
  const { agents = [] } = useEditor();
  return {
    hosts: agents.map(({ name, facts }) => ({
      value: name,
      label: facts.scriptsAllowed ? name : `${name} (scripts not allowed)`,
    })),
    firstHost: agents.find(({ facts }) => facts.scriptsAllowed)?.name ?? agents[0]?.name ?? '',
  };
}

/** Shown at a host that would refuse. */
export function ScriptsNotAllowed({ host }: { host: string }) {
  const agent = useEditor().agents?.find(({ name }) => name === host);
  if (!agent || agent.facts.scriptsAllowed) return null;
  return (
    <Alert color="yellow" variant="light" p="xs">
      {agent.name} does not allow scripts. Start its Agent with --allow-scripts.
    </Alert>
  );
}

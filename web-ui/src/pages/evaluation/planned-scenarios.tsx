import { Code, Stack, Table, Text } from '@mantine/core';
import type { Scenario } from '#core/evaluation/scenario.ts';
import { ScenarioName } from '../../components/scenario-name.tsx';
import { styleScenarios } from '../../components/scenario-style.ts';

/** Each Scenario and what it changes: proxy, browser switches, scripts. */
export function PlannedScenarios({ scenarios }: { scenarios: Scenario[] }) {
  const styles = styleScenarios(scenarios);
  return (
    <Table>
      <Table.Tbody>
        {scenarios.map((scenario) => (
          <Table.Tr key={scenario.name}>
            <Table.Th scope="row" w={280} style={{ verticalAlign: 'top' }}>
              <ScenarioName name={scenario.name} style={styles.get(scenario.name)} isBaseline={scenario.baseline} />
            </Table.Th>
            <Table.Td>
              <ScenarioConditions scenario={scenario} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function ScenarioConditions({ scenario }: { scenario: Scenario }) {
  const { proxy, flags, trustedKeys } = scenario.browser;
  const scripts = [...scenario.setUp.map((script) => ({ ...script, when: 'before' })), ...scenario.tearDown.map((script) => ({ ...script, when: 'after' }))];
  const isPlain = !proxy && flags.length === 0 && trustedKeys.length === 0 && scripts.length === 0;
  return (
    <Stack gap={6}>
      {scenario.description && <Text size="sm">{scenario.description}</Text>}
      {proxy && (
        <span>
          through the proxy <Code>{proxy}</Code>
        </span>
      )}
      {flags.length > 0 && (
        <span>
          browser switches <Code>{flags.join(' ')}</Code>
        </span>
      )}
      {trustedKeys.length > 0 && <span>{trustedKeys.length === 1 ? 'one certificate key' : `${trustedKeys.length} certificate keys`} trusted</span>}
      {scripts.map(({ when, host, script }, index) => (
        <details key={index}>
          <summary>
            {when} each Round, a script on <strong>{host}</strong>
          </summary>
          <Code block mt={6}>
            {script}
          </Code>
        </details>
      ))}
      {isPlain && (
        <Text size="sm" c="dimmed">
          the browser as it is
        </Text>
      )}
    </Stack>
  );
}

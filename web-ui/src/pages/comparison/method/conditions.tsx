import { Table, Text } from '@mantine/core';
import type { Comparison } from '#core/comparison/comparison.ts';
import type {
  ScenarioConditions,
  SettingDifference,
  SharedSetting,
} from '#core/comparison/scenario-settings/scenario-conditions.ts';
import { isBrief } from '../answer/what-differs.tsx';
import { Folded } from '../../../components/folded.tsx';
import { GroupBodies } from '../../../components/group-bodies.tsx';
import { ScenarioName } from '../../../components/scenario/scenario-name.tsx';
import type { ScenarioStyle } from '../../../components/scenario/scenario-style.ts';
import { Term } from '../../../components/terms/term.tsx';
import classes from './conditions.module.css';

interface ConditionsProps {
  conditions: ScenarioConditions[];
  shared: SharedSetting[];
  groups: Comparison['groups'];
  styles: Map<string, ScenarioStyle>;
}

/** The differences of each Scenario from the baseline: the settings and the description by the evaluator. Then the settings that all Scenarios share. */
export function Conditions({ conditions, shared, groups, styles }: ConditionsProps) {
  const shown = conditions.filter(({ isBaseline, description }) => !isBaseline || description !== '');
  if (shown.length + shared.length === 0) return null;
  const baseline = conditions.find(({ isBaseline }) => isBaseline)!.scenario;
  const isComparison = conditions.length > 1;
  const others = conditions.filter((each) => !each.isBaseline);
  return (
    <>
      <Folded isFolded={isBrief(conditions)} summary={<span id="conditions">Settings in which Scenarios differ</span>}>
        <Table.ScrollContainer minWidth={720}>
          <Table aria-label="Settings of the Scenarios" verticalSpacing={6}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>
                  <Term of="scenario">Scenario</Term>
                </Table.Th>
                <Table.Th>Setting</Table.Th>
                {isComparison ? (
                  <>
                    <Table.Th className={classes.value}>{groups ? 'in the baseline of the group' : baseline}</Table.Th>
                    <Table.Th>{others.length === 1 ? others[0]!.scenario : 'in the Scenario'}</Table.Th>
                  </>
                ) : (
                  <Table.Th colSpan={2}>in the Scenario</Table.Th>
                )}
              </Table.Tr>
            </Table.Thead>
            <GroupBodies groups={groups} items={shown} scenarioOf={({ scenario }) => scenario} columns={4}>
              {(scenario) => (
                <ScenarioRows key={scenario.scenario} conditions={scenario} style={styles.get(scenario.scenario)} />
              )}
            </GroupBodies>
          </Table>
        </Table.ScrollContainer>
      </Folded>
      {shared.length > 0 && (
        <Folded isFolded={isComparison} summary="Settings of all Scenarios">
          <SharedTable shared={shared} />
        </Folded>
      )}
    </>
  );
}

function SharedTable({ shared }: Pick<ConditionsProps, 'shared'>) {
  return (
    <Table aria-label="Settings of all Scenarios" verticalSpacing={6} w="auto">
      <Table.Tbody>
        {shared.map(({ setting, words, isScript }) => (
          <Table.Tr key={setting}>
            <Table.Th scope="row" className={classes.value}>
              {setting}
            </Table.Th>
            <Table.Td className={classes.value}>
              <Value text={words} isScript={isScript} name={setting} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function ScenarioRows({
  conditions: { scenario, isBaseline, description, differences },
  style,
}: {
  conditions: ScenarioConditions;
  style: ScenarioStyle | undefined;
}) {
  const rows = [
    ...(description === '' ? [] : [<Words key="description">{description}</Words>]),
    ...differences.map((difference) => <Difference key={difference.setting} difference={difference} />),
    ...(isBaseline || differences.length > 0
      ? []
      : [<Words key="none">No setting differs. Any other difference was made outside the Evaluation.</Words>]),
  ];
  return rows.map((cells, index) => (
    <Table.Tr key={index}>
      {index === 0 && (
        <Table.Th scope="rowgroup" rowSpan={rows.length} style={{ verticalAlign: 'top' }}>
          <ScenarioName name={scenario} style={style} isBaseline={isBaseline} />
        </Table.Th>
      )}
      {cells}
    </Table.Tr>
  ));
}

function Words({ children }: { children: string }) {
  return (
    <Table.Td colSpan={3}>
      <Text size="sm" c="dimmed" className={classes.description}>
        {children}
      </Text>
    </Table.Td>
  );
}

function Difference({ difference: { setting, baseline, own, isScript } }: { difference: SettingDifference }) {
  return (
    <>
      <Table.Td className={classes.value}>{setting}</Table.Td>
      <Table.Td className={classes.value} data-baseline="true">
        <Value text={baseline} isScript={isScript} name={`${setting} of the baseline`} />
      </Table.Td>
      <Table.Td className={classes.value}>
        <Value text={own} isScript={isScript} name={setting} />
      </Table.Td>
    </>
  );
}

function Value({ text, isScript, name }: { text: string; isScript: boolean; name: string }) {
  if (!isScript || !text.includes('\n')) return text;
  return (
    <pre className={classes.script} tabIndex={0} role="region" aria-label={name}>
      {text}
    </pre>
  );
}

import { Button, Group, Stack, Tabs, Text } from '@mantine/core';
import { useState } from 'react';
import { z } from 'zod';
import { markTraits } from '#core/evaluation/scenarios/scenario-trait.ts';
import { ScenarioSchema } from '#core/evaluation/scenarios/scenario.ts';
import { Section } from '../../../../components/section.tsx';
import { ScenarioName } from '../../../../components/scenario/scenario-name.tsx';
import { styleInOrder } from '../../../../components/scenario/scenario-style.ts';
import { Term } from '../../../../components/terms/term.tsx';
import type { Change } from '../../editor/change-yaml.ts';
import { findFreeName } from '../../editor/find-free-name.ts';
import { useEditor, useField } from '../../editor/editor-context.ts';
import { readList, readPath, readText } from '../../editor/path.ts';
import { PathPicture } from './path-picture.tsx';
import { ScenarioFields } from './scenario-fields.tsx';
import { expandSweeps, isTemplate } from '#core/evaluation/sweep/expand-sweeps.ts';
import { ErrorText } from '../../fields/error-text.tsx';

/** Each is a Scenario of its own. */
const mostSolos = 20;

/** Under which conditions: the Scenarios, one of them shown with the path that its requests take. */
export function ScenariosSection() {
  const { input, issues, change } = useEditor();
  const { error } = useField(['scenarios']);
  const [wanted, setChosen] = useState(0);
  const scenarios = readList(input, ['scenarios']);
  const chosen = Math.min(wanted, Math.max(0, scenarios.length - 1));
  const ofBaseline = useField(['scenarios', chosen, 'baseline']);
  const isSwept = readPath(scenarios[chosen], ['sweep']) !== undefined;
  const names = scenarios.map((scenario) => readText(scenario, ['name']));
  const heads = scenarios.map((scenario, index) => ({
    name: names[index]!,
    baseline: readPath(scenario, ['baseline']) === true,
    group: readText(scenario, ['group']),
  }));
  const valid = z.array(ScenarioSchema).safeParse(scenarios);
  const styles = styleInOrder(valid.success ? markTraits(valid.data) : heads);

  const add = (model: object) => {
    const place = scenarios.length;
    const value = {
      ...model,
      name: findFreeName('name' in model ? String(model.name) : 'Scenario 1', names),
      baseline: place === 0 ? true : undefined,
    };
    change([{ path: ['scenarios', place], value }]);
    setChosen(place);
  };
  const users = readList(input, ['userAgents']).map((userAgent) => readText(userAgent, ['name']));
  const mayAddSolos =
    !isSwept &&
    users.length > 1 &&
    users.length <= mostSolos &&
    readPath(scenarios[chosen], ['userAgents']) === undefined;
  const addSolos = () =>
    change(
      users.map((user, index): Change => ({
        path: ['scenarios', scenarios.length + index],
        value: {
          ...(scenarios[chosen] as object),
          name: findFreeName(`${names[chosen]!}, ${user} alone`, names),
          baseline: undefined,
          userAgents: [user],
        },
      })),
    );
  const remove = () => {
    const next = heads[chosen]?.baseline ? chooseHeir(scenarios, chosen) : null;
    const heir: Change[] = next === null ? [] : [{ path: ['scenarios', next, 'baseline'], value: true }];
    change([...heir, { path: ['scenarios', chosen], value: undefined }]);
    setChosen(Math.max(0, chosen - 1));
  };
  const makeBaseline = () =>
    change(
      scenarios.flatMap((scenario, index): Change[] =>
        isSameGroup(scenario, scenarios[chosen])
          ? [{ path: ['scenarios', index, 'baseline'], value: index === chosen ? true : undefined }]
          : [],
      ),
    );
  const isWrong = (index: number) => issues.some(({ path }) => path[0] === 'scenarios' && path[1] === index);

  return (
    <Section
      title={<Term of="scenario">Scenarios</Term>}
      beside={
        <Button size="compact-sm" variant="subtle" onClick={() => add(emptyLike(scenarios))}>
          Add a Scenario
        </Button>
      }
    >
      <ErrorText error={error} />
      {scenarios.length > 0 && (
        <Tabs
          value={String(chosen)}
          onChange={(value) => setChosen(Number(value))}
          variant="outline"
          styles={{ tab: { maxWidth: '100%', whiteSpace: 'normal' }, tabLabel: { textAlign: 'start' } }}
        >
          <Tabs.List mb="sm" aria-label="Scenarios">
            {heads.map((head, index) => (
              <Tabs.Tab key={index} value={String(index)} rightSection={isWrong(index) ? <Wrong /> : null}>
                <ScenarioName
                  name={names[index] || 'without a name'}
                  style={styles[index]}
                  isBaseline={head.baseline}
                />
                <Count entry={scenarios[index]} />
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value={String(chosen)}>
            <Stack gap="md">
              <PathPicture index={chosen} />
              <Group gap={4}>
                {!isSwept && (
                  <Button
                    size="compact-sm"
                    variant="default"
                    disabled={heads[chosen]?.baseline === true}
                    onClick={makeBaseline}
                  >
                    {heads[chosen]?.baseline ? 'Is the baseline' : 'Make it the baseline'}
                  </Button>
                )}
                <Button size="compact-sm" variant="subtle" onClick={() => add(scenarios[chosen] as object)}>
                  Duplicate
                </Button>
                {mayAddSolos && (
                  <Button
                    size="compact-sm"
                    variant="subtle"
                    title="Rounds with one User Agent alone, to see what the others cost it"
                    onClick={addSolos}
                  >
                    Add solo Rounds
                  </Button>
                )}
                <Button
                  size="compact-sm"
                  variant="subtle"
                  color="gray"
                  disabled={scenarios.length === 1}
                  onClick={remove}
                >
                  Remove
                </Button>
              </Group>
              {!isSwept && <ErrorText error={ofBaseline.error} role="alert" />}
              <ScenarioFields key={chosen} index={chosen} />
            </Stack>
          </Tabs.Panel>
        </Tabs>
      )}
    </Section>
  );
}

function Wrong() {
  return (
    <Text span c="var(--mantine-color-error)" fw={700} aria-label="has a problem">
      !
    </Text>
  );
}

/** For how many Scenarios one with a sweep stands. */
function Count({ entry }: { entry: unknown }) {
  const count = countScenarios(entry);
  if (count === null) return null;
  return (
    <Text span size="xs" c="dimmed" ml={6}>
      × {count}
    </Text>
  );
}

/** Where one Scenario has an emulated link or a group, every other one needs one too. */
function emptyLike(scenarios: unknown[]): object {
  const plain = scenarios.filter((scenario) => readPath(scenario, ['sweep']) === undefined);
  const [network, group] = ['network', 'group'].map((field) =>
    plain.map((scenario) => readPath(scenario, [field])).find((each) => each !== undefined),
  );
  return { ...(group !== undefined && { group }), ...(network !== undefined && { network }) };
}

/** How many Scenarios an entry with a sweep stands for; null of any other, and while the sweep is wrong. */
export function countScenarios(entry: unknown): number | null {
  if (!isTemplate(entry)) return null;
  const expanded = expandSweeps([entry]);
  return expanded.kind === 'expanded' ? expanded.scenarios.length : null;
}

/** The place of the Scenario that becomes the baseline when that at `removed` is taken out: the first of the same group without a sweep. Null where there is none. */
export function chooseHeir(scenarios: readonly unknown[], removed: number): number | null {
  const heir = scenarios.findIndex(
    (scenario, index) =>
      index !== removed && readPath(scenario, ['sweep']) === undefined && isSameGroup(scenario, scenarios[removed]),
  );
  return heir < 0 ? null : heir;
}

/** Whether two entries have the same group as it is written; or none. */
function isSameGroup(one: unknown, other: unknown): boolean {
  return readPath(one, ['group']) === readPath(other, ['group']);
}

import { ActionIcon, Button, Group, Stack, Switch, Text, Select, Paper } from '@mantine/core';
import { listChanges } from '../../editor/change-yaml.ts';
import { useEditor, useField } from '../../editor/editor-context.ts';
import { readPath, type Path, readText, readKeys, readList } from '../../editor/path.ts';
import {
  addVariable,
  removeVariable,
  renameVariable,
  startSweep,
  stopSweep,
  sweepOf,
  type ScenarioEntry,
  chooseBaseline,
  findUnusedVariables,
} from '../../editor/sweep/change-sweep.ts';
import { LinesField } from '../../fields/lines-field.tsx';
import { RenameField } from '../rename-field.tsx';
import classes from './sweep-fields.module.css';
import {
  readCombinations,
  readValues,
  writeCombinations,
  writeValues,
  readCombination,
  writeCombination,
} from './swept-text.ts';
import { FieldsRow } from '../../fields/fields-row.tsx';
import { expandSweeps } from '#core/evaluation/sweep/expand-sweeps.ts';
import { formatCount } from '../../../../format/format-numbers.ts';
import { countPlan } from '../../count-plan.ts';
import { RunEstimate } from '../../side/run-estimate.tsx';
import { ErrorText } from '../../fields/error-text.tsx';

const shownNames = 6;

const kinds = [
  { value: 'none', label: 'none of them' },
  { value: 'some', label: 'those with these values' },
  { value: 'all', label: 'all: each has a group of its own' },
];

/** The sweep of a Scenario: variables and their values, which combinations are left out, and what comes of it. */
export function SweepFields({ path }: { path: Path }) {
  const { input, change } = useEditor();
  const { error } = useField([...path, 'sweep']);
  const entry = (readPath(input, path) ?? {}) as ScenarioEntry;
  const names = Object.keys(sweepOf(entry));
  const isSwept = entry.sweep !== undefined;
  const become = (next: ScenarioEntry) => {
    const { sweep: before, ...old } = entry;
    const { sweep, ...settings } = next;
    // The sweep as a whole, so that its variables keep their order.
    change([
      ...listChanges(old, settings, path),
      ...(sweep === before ? [] : [{ path: [...path, 'sweep'], value: sweep }]),
    ]);
  };
  return (
    <Stack gap="sm">
      <Switch
        label="Sweep: repeat this Scenario for each combination of values"
        description="{name} in any field of the Scenario becomes the value of that variable."
        checked={isSwept}
        onChange={({ currentTarget }) =>
          become(currentTarget.checked ? startSweep(entry) : stopSweep(entry, listUrls(input)))
        }
      />
      {isSwept && (
        <>
          <div role="group" aria-label="Variables of the sweep" className={classes.variables}>
            {names.map((name, index) => (
              <div key={index} className={classes.variable}>
                <RenameField
                  label={`Variable ${index + 1}`}
                  name={name}
                  taken={names}
                  width="11rem"
                  onRename={(next) => become(renameVariable(entry, name, next))}
                />
                <div className={classes.values}>
                  <LinesField
                    path={[...path, 'sweep', name]}
                    label={`Values of ${name}`}
                    placeholder="256, 500, 1000"
                    isRequired
                    write={writeValues}
                    read={readValues}
                  />
                </div>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size={34}
                  disabled={names.length === 1}
                  aria-label={`Remove the variable ${name}`}
                  onClick={() => become(removeVariable(entry, name))}
                >
                  ✕
                </ActionIcon>
              </div>
            ))}
          </div>
          <ErrorText error={error} role="alert" />
          <Group>
            <Button size="compact-sm" variant="default" onClick={() => become(addVariable(entry))}>
              Add a variable
            </Button>
          </Group>
          <SweepBaseline path={path} />
          <LinesField
            path={[...path, 'except']}
            label="Leave out"
            description="A combination on each line. rateKbps=1000|2000 fits both rates."
            placeholder={`${names[0] ?? 'rateKbps'}=…`}
            write={writeCombinations}
            read={readCombinations}
          />
          <SweepOutcome path={path} />
        </>
      )}
    </Stack>
  );
}

/** Which Scenarios of a sweep are baselines. */
function SweepBaseline({ path }: { path: Path }) {
  const { input } = useEditor();
  const own = [...path, 'baseline'];
  const { value, error, set } = useField(own);
  const kind = value === true ? 'all' : value === undefined || value === false ? 'none' : 'some';
  const choose = (next: string | null) => {
    if (next === null || next === kind) return;
    const values = { none: undefined, all: true, some: chooseBaseline((readPath(input, path) ?? {}) as ScenarioEntry) };
    set(values[next as keyof typeof values]);
  };
  return (
    <FieldsRow least="14rem">
      <Select
        label="Baseline"
        data={kinds}
        value={kind}
        error={kind === 'some' ? null : error}
        allowDeselect={false}
        onChange={choose}
      />
      {kind === 'some' && (
        <LinesField
          path={own}
          label="Values of the baseline"
          isRequired
          write={writeCombination}
          read={readCombination}
        />
      )}
    </FieldsRow>
  );
}

/** The first Scenarios that come of a sweep, and how many Rounds and how much time come of all. */
function SweepOutcome({ path }: { path: Path }) {
  const { input, evaluation } = useEditor();
  const entry = (readPath(input, path) ?? {}) as ScenarioEntry;
  const expanded = expandSweeps([entry]);
  if (expanded.kind === 'refused') return null;
  const { scenarios } = expanded;
  const unused = findUnusedVariables(entry, listUrls(input));
  const names = scenarios
    .slice(0, shownNames)
    .map(
      (scenario) => `${readText(scenario, ['name'])}${readPath(scenario, ['baseline']) === true ? ' (baseline)' : ''}`,
    );
  const more = scenarios.length - names.length;
  return (
    <Paper bg="var(--surface-raised)" radius="md" p="sm" role="group" aria-label="Scenarios of the sweep">
      <Text size="sm">
        <strong>{formatCount(scenarios.length, 'Scenario')}</strong>: {names.join(', ')}
        {more > 0 && ` and ${more} more`}.
      </Text>
      {unused.length > 0 && (
        <Text size="sm" c="var(--mantine-color-error)">
          No setting uses {unused.map((name) => `{${name}}`).join(' or ')}. Write {`{${unused[0]!}}`} in a field of this
          Scenario or in a URL.
        </Text>
      )}
      {evaluation ? (
        <>
          <Text size="sm">{describeAll(evaluation.scenarios.length, countPlan(evaluation))}</Text>
          <RunEstimate evaluation={evaluation} />
        </>
      ) : (
        <Text size="sm" c="dimmed">
          Rounds and time appear when all problems are corrected.
        </Text>
      )}
    </Paper>
  );
}

function describeAll(scenarios: number, { rounds, warmUpRounds, visits }: ReturnType<typeof countPlan>): string {
  return `In all ${formatCount(scenarios, 'Scenario')}, ${formatCount(rounds + warmUpRounds, 'Round')}, ${formatCount(visits, 'Visit')}.`;
}

/** The URLs of all lists, as they are written. */
function listUrls(input: unknown): string[] {
  return readKeys(input, ['urlLists']).flatMap((list) =>
    readList(input, ['urlLists', list]).map((entry) => readText(entry, ['url'])),
  );
}

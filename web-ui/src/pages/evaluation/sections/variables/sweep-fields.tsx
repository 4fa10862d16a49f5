import { ActionIcon, Button, Group, Stack, Switch, Text } from '@mantine/core';
import { listChanges } from '../../editor/compare-documents.ts';
import { useEditor, useField } from '../../editor/editor-context.ts';
import { readPath, type Path } from '../../editor/path.ts';
import {
  addVariable,
  removeVariable,
  renameVariable,
  startSweep,
  stopSweep,
  sweepOf,
  type ScenarioEntry,
} from '../../editor/sweep/change-sweep.ts';
import { listUrls } from '../../editor/sweep/list-urls.ts';
import { LinesField } from '../../fields/lines-field.tsx';
import { RenameField } from '../rename-field.tsx';
import { SweepBaseline } from './sweep-baseline.tsx';
import classes from './sweep-fields.module.css';
import { SweepOutcome } from './sweep-outcome.tsx';
import { readCombinations, readValues, writeCombinations, writeValues } from './swept-text.ts';

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
          {error && (
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              {error}
            </Text>
          )}
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

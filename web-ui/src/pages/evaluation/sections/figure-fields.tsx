import { ActionIcon, Button, Group, MultiSelect, Stack, Text } from '@mantine/core';
import { figureKinds, figureStatistics, mostFigures, givenDimensions } from '#core/evaluation/figures/figure-choice.ts';
import { measureIds, measures } from '#core/metrics/measures.ts';
import { kindLabels, statisticLabels } from '../../../components/terms/figure-words.ts';
import { useEditor, useField } from '../editor/editor-context.ts';
import { readList, readPath, readText, type Path, readKeys } from '../editor/path.ts';
import { removeEntry } from '../editor/change-yaml.ts';
import { ChoiceField } from '../fields/choice-field.tsx';
import { FieldsRow } from '../fields/fields-row.tsx';
import { SwitchField } from '../fields/switch-field.tsx';
import { TextField } from '../fields/text-field.tsx';
import { ErrorText } from '../fields/error-text.tsx';

const path = ['figures'];
const metricChoices = measureIds.map((id) => ({ value: id, label: measures[id].label }));
const kindChoices = figureKinds.map((id) => ({ value: id, label: kindLabels[id] }));
const statisticChoices = figureStatistics.map((id) => ({ value: id, label: statisticLabels[id] }));

/** The figures with which the report opens. */
export function FigureFields() {
  const { input, change } = useEditor();
  const { error } = useField(path);
  const figures = readList(input, path);
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        The report opens with these figures. Without any, it opens with the figure that fits the design. Readers can
        choose others.
      </Text>
      {figures.map((figure, index) => {
        const name = readText(figure, ['title']) || `Figure ${index + 1}`;
        return (
          <Stack key={index} gap="xs" role="group" aria-label={name}>
            <Group justify="space-between">
              <Text size="sm" fw={600}>
                {name}
              </Text>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`Remove ${name}`}
                onClick={() => change([removeEntry(input, path, index)])}
              >
                ✕
              </ActionIcon>
            </Group>
            <OneFigure path={[...path, index]} names={offerDimensions(input)} />
          </Stack>
        );
      })}
      <ErrorText error={error} size="xs" />
      <Group>
        <Button
          size="compact-sm"
          variant="default"
          disabled={figures.length >= mostFigures}
          onClick={() => change([{ path: [...path, figures.length], value: { kind: 'line' } }])}
        >
          Add a figure
        </Button>
      </Group>
    </Stack>
  );
}

const scaleChoices = [
  { value: 'linear', label: 'linear', stored: false },
  { value: 'logarithmic', label: 'logarithmic', stored: true },
];

/** What is left open is chosen by the design. */
function OneFigure({ path: own, names }: { path: Path; names: string[] }) {
  const { input } = useEditor();
  const kind = readText(input, [...own, 'kind']);
  const only = readPath(input, [...own, 'only']);
  const horizontal =
    kind === 'scatter' ? [...names.map((name) => ({ value: name, label: name })), ...metricChoices] : names;
  return (
    <>
      <FieldsRow least="12rem">
        <TextField path={[...own, 'title']} label="Title" placeholder="by what is drawn" />
        <ChoiceField path={[...own, 'kind']} label="As" choices={kindChoices} byDefault="line" />
        <ChoiceField
          path={[...own, 'y']}
          label="Metric"
          choices={metricChoices}
          placeholder="the primary metric"
          isOptional
        />
        <ChoiceField path={[...own, 'statistic']} label="Statistic" choices={statisticChoices} byDefault="mean" />
        <ChoiceField
          path={[...own, 'x']}
          label="Horizontal axis"
          choices={horizontal}
          placeholder="by the design"
          isOptional
        />
        <ChoiceField
          path={[...own, 'logX']}
          label="Scale of the horizontal axis"
          choices={scaleChoices}
          placeholder="by its values"
          isOptional
        />
        <NamesField path={[...own, 'series']} label="Series for" names={names} />
        <NamesField path={[...own, 'panels']} label="Panels for" names={names} />
      </FieldsRow>
      <Group gap="lg">
        <SwitchField path={[...own, 'logY']} label="Logarithmic vertical axis" byDefault={false} />
      </Group>
      <OnlyNote path={[...own, 'only']} isWritten={only !== undefined} />
    </>
  );
}

interface NamesFieldProps {
  path: Path;
  label: string;
  names: string[];
}

/** Several names, or one alone. */
function NamesField({ path: own, label, names }: NamesFieldProps) {
  const { value, error, set } = useField(own, { isWhole: true });
  const chosen = typeof value === 'string' ? [value] : Array.isArray(value) ? value.map(String) : [];
  return (
    <MultiSelect
      label={label}
      placeholder={chosen.length === 0 ? 'by the design' : ''}
      data={[...new Set([...chosen, ...names])]}
      value={chosen}
      error={error}
      onChange={(next) => set(next.length === 0 ? undefined : next)}
    />
  );
}

/** Values of dimensions are chosen in the YAML: there may be thousands. */
function OnlyNote({ path: own, isWritten }: { path: Path; isWritten: boolean }) {
  const { error } = useField(own, { isWhole: true });
  if (!isWritten) return null;
  return (
    <Text size="xs" c={error ? 'var(--mantine-color-error)' : 'dimmed'}>
      {error ?? 'The YAML limits this figure to some values, by "only".'}
    </Text>
  );
}

/** The names that a figure of an Evaluation may have on its axis, as series and as panels: of its variables, then those of every Evaluation. */
function offerDimensions(input: unknown): string[] {
  const pages = readKeys(input, ['urlLists']).flatMap((list) =>
    readList(input, ['urlLists', list]).flatMap((entry) => readKeys(entry, ['variables'])),
  );
  const scenarios = readList(input, ['scenarios']).flatMap((scenario) => [
    ...readKeys(scenario, ['variables']),
    ...readKeys(scenario, ['sweep']),
  ]);
  return [...new Set([...pages, ...scenarios, ...givenDimensions])];
}

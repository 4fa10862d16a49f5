import { SegmentedControl, Stack, Text } from '@mantine/core';
import { Section } from '../../../components/section.tsx';
import { Term } from '../../../components/terms/term.tsx';
import { useEditor, useField } from '../editor/editor-context.ts';
import { readPath } from '../editor/path.ts';
import { ChoiceField } from '../fields/choice-field.tsx';
import { cacheChoices } from './scenarios/cache-choices.ts';
import { FieldsRow } from '../fields/fields-row.tsx';
import { NumberField } from '../fields/number-field.tsx';
import { SwitchField } from '../fields/switch-field.tsx';

const repetition = ['repetition'];
const adaptive = [...repetition, 'adaptive'];

/** How often: a fixed number of Rounds, or until the means are exact enough. */
export function RepetitionSection() {
  const { input, change } = useEditor();
  const { error } = useField(adaptive);
  const isAdaptive = readPath(input, adaptive) !== undefined;
  const choose = (kind: string) =>
    change(
      kind === 'adaptive'
        ? [
            { path: [...repetition, 'rounds'], value: undefined },
            { path: [...repetition, 'order'], value: undefined },
            { path: adaptive, value: { target: { halfWidthRatio: 0.05 } } },
          ]
        : [
            { path: adaptive, value: undefined },
            { path: [...repetition, 'rounds'], value: 5 },
          ],
    );
  return (
    <Section title="Repetition">
      <Stack gap="sm">
        <SegmentedControl
          aria-label="When a Run ends"
          value={isAdaptive ? 'adaptive' : 'fixed'}
          onChange={choose}
          data={[
            { value: 'fixed', label: 'A fixed number of Rounds' },
            { value: 'adaptive', label: 'Until the means are exact enough' },
          ]}
          style={{ alignSelf: 'flex-start' }}
        />
        {isAdaptive ? <AdaptiveFields /> : <FixedFields />}
        {error && (
          <Text size="sm" c="var(--mantine-color-error)">
            {error}
          </Text>
        )}
        <FieldsRow least="14rem">
          <ChoiceField
            path={['pageLoad', 'cache']}
            label={<Term of="cache">Cache</Term>}
            choices={cacheChoices}
            byDefault="cold"
          />
          <NumberField path={['pageLoad', 'visitsPerUrl']} label="Visits of each URL per Pass" byDefault={1} />
        </FieldsRow>
        <SwitchField
          path={[...repetition, 'mayAddRounds']}
          label={<Term of="mayAddRounds">Rounds may be added after the result</Term>}
          byDefault={false}
        />
        <SwitchField path={[...repetition, 'warmUp']} label={<Term of="warmUp">Warm-up Block first</Term>} byDefault />
      </Stack>
    </Section>
  );
}

function FixedFields() {
  return (
    <FieldsRow least="14rem">
      <NumberField path={[...repetition, 'rounds']} label="Rounds of each Scenario" byDefault={5} />
      <ChoiceField
        path={[...repetition, 'order']}
        label="Order"
        choices={[
          { value: 'random-blocks', label: 'random within each Block' },
          { value: 'sequential', label: 'one Scenario after the other' },
        ]}
        byDefault="random-blocks"
      />
    </FieldsRow>
  );
}

function AdaptiveFields() {
  const { input } = useEditor();
  const isInMs = readPath(input, [...adaptive, 'target', 'halfWidthMs']) !== undefined;
  return (
    <FieldsRow least="10rem">
      {isInMs ? (
        <NumberField path={[...adaptive, 'target', 'halfWidthMs']} label="Target precision (±)" unit="ms" isRequired />
      ) : (
        <NumberField
          path={[...adaptive, 'target', 'halfWidthRatio']}
          label="Target precision (±)"
          unit="%"
          scale={100}
          isRequired
        />
      )}
      <NumberField path={[...adaptive, 'minRounds']} label="Rounds, minimum" byDefault={5} />
      <NumberField path={[...adaptive, 'maxRounds']} label="Rounds, maximum" byDefault={50} />
      <NumberField
        path={[...adaptive, 'timeBudgetMs']}
        label="Time limit"
        unit="minutes"
        scale={1 / 60_000}
        byDefault="no limit"
      />
    </FieldsRow>
  );
}

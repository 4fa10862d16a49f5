import { SegmentedControl, Stack } from '@mantine/core';
import { pageLoadRulesWords, PageLoadRulesSchema } from '#core/evaluation/pages/page-load.ts';
import { Section } from '../../../components/section.tsx';
import { Term } from '../../../components/terms/term.tsx';
import { useEditor, useField } from '../editor/editor-context.ts';
import { readPath } from '../editor/path.ts';
import {
  RepetitionSchema,
  repetitionWords,
  AdaptiveRepetitionSchema,
  adaptiveWords,
  StopTargetSchema,
  stopTargetWords,
} from '#core/evaluation/rounds/repetition.ts';
import { SettingFields } from '../fields/setting-fields.tsx';
import { FieldsRow } from '../fields/fields-row.tsx';
import { ErrorText } from '../fields/error-text.tsx';

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
          style={{ alignSelf: 'flex-start', maxWidth: '100%', flexWrap: 'wrap' }}
        />
        {isAdaptive ? <AdaptiveFields /> : <FixedFields />}
        <ErrorText error={error} />
        <FieldsRow least="14rem">
          <SettingFields
            path={['pageLoad']}
            schema={PageLoadRulesSchema}
            words={pageLoadRulesWords}
            names={['cache', 'visitsPerUrl']}
            labels={{ cache: <Term of="cache">Cache</Term> }}
          />
          <SettingFields
            path={repetition}
            schema={RepetitionSchema}
            words={repetitionWords}
            names={['barrier']}
            labels={{ barrier: <Term of="barrier">{repetitionWords.barrier.label}</Term> }}
          />
        </FieldsRow>
        <SettingFields
          path={repetition}
          schema={RepetitionSchema}
          words={repetitionWords}
          names={['mayAddRounds', 'warmUp']}
          labels={{
            mayAddRounds: <Term of="mayAddRounds">{repetitionWords.mayAddRounds.label}</Term>,
            warmUp: <Term of="warmUp">{repetitionWords.warmUp.label}</Term>,
          }}
        />
      </Stack>
    </Section>
  );
}

function FixedFields() {
  return (
    <FieldsRow least="14rem">
      <SettingFields path={repetition} schema={RepetitionSchema} words={repetitionWords} names={['rounds', 'order']} />
    </FieldsRow>
  );
}

function AdaptiveFields() {
  const { input } = useEditor();
  const target = [...adaptive, 'target'];
  const isInMs = readPath(input, [...target, 'halfWidthMs']) !== undefined;
  return (
    <FieldsRow least="10rem">
      <SettingFields
        path={target}
        schema={StopTargetSchema}
        words={stopTargetWords}
        names={[isInMs ? 'halfWidthMs' : 'halfWidthRatio']}
        isRequired
      />
      <SettingFields path={adaptive} schema={AdaptiveRepetitionSchema} words={adaptiveWords} />
    </FieldsRow>
  );
}

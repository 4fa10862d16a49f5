import { MultiSelect, Stack, Text, ActionIcon, Button, Group } from '@mantine/core';
import { Term } from '../../../components/terms/term.tsx';
import { useField, useEditor } from '../editor/editor-context.ts';
import { ChoiceField } from '../fields/choice-field.tsx';
import { ArtefactSettingsSchema, artefactWords } from '#core/evaluation/artefact-settings.ts';
import { CaptureSettingsSchema, captureWords } from '#core/evaluation/capture/capture-settings.ts';
import { ComparisonSettingsSchema, comparisonWords } from '#core/evaluation/evaluation.ts';
import { TrendSettingsSchema, trendWords } from '#core/evaluation/trend-settings.ts';
import { viewportWords, PageLoadRulesSchema, pageLoadRulesWords } from '#core/evaluation/pages/page-load.ts';
import { RepetitionSchema, repetitionWords } from '#core/evaluation/rounds/repetition.ts';
import { SettingFields } from '../fields/setting-fields.tsx';
import { FieldsRow } from '../fields/fields-row.tsx';
import { LinesField } from '../fields/lines-field.tsx';
import { RestField } from '../fields/rest-field.tsx';
import { metricChoices } from './about-section.tsx';
import { FigureFields } from './figure-fields.tsx';
import { Fold } from './fold.tsx';
import { readLines, writeLines } from './variables/variables-text.ts';
import { findFreeName } from '../editor/find-free-name.ts';
import { readList, readText } from '../editor/path.ts';
import { removeEntry } from '../editor/change-yaml.ts';
import { TextField } from '../fields/text-field.tsx';

const path = ['capturePoints'];

const pageLoad = { path: ['pageLoad'], schema: PageLoadRulesSchema, words: pageLoadRulesWords };
const viewportSchema = PageLoadRulesSchema.shape.viewport.unwrap();
const capture = { path: ['capture'], schema: CaptureSettingsSchema, words: captureWords };

/** What each fold holds, with its defaults. */
const held = {
  pageLoad: { path: ['pageLoad'], defaults: PageLoadRulesSchema.parse({}) },
  attempts: {
    path: ['repetition', 'attempts'],
    defaults: RepetitionSchema.shape.attempts.parse(undefined),
    isOne: true,
  },
  capture: { path: ['capture'], defaults: CaptureSettingsSchema.parse({}) },
  capturePoints: { path: ['capturePoints'], isOne: true },
  artefacts: { path: ['artefacts'], defaults: ArtefactSettingsSchema.parse({}) },
  comparison: { path: ['comparison'], defaults: ComparisonSettingsSchema.parse({}) },
  figures: { path: ['figures'] },
  resources: { path: ['resources'] },
};

/** Settings whose defaults suit most Evaluations. */
export function MoreSection() {
  return (
    <Stack gap="sm">
      <Fold
        title="Page load"
        detail="viewport, quiet time, hard cap, failed objects"
        holds={[held.pageLoad, held.attempts]}
      >
        <FieldsRow>
          <SettingFields path={['pageLoad', 'viewport']} schema={viewportSchema} words={viewportWords} />
          <SettingFields {...pageLoad} names={['quietMs', 'timeoutMs']} />
          <RestField path={['pageLoad', 'restMs']} byDefault={400} />
          <SettingFields path={['repetition']} schema={RepetitionSchema} words={repetitionWords} names={['attempts']} />
        </FieldsRow>
        <SettingFields
          {...pageLoad}
          names={['failedObjects']}
          labels={{ failedObjects: <Term of="lostObjects">{pageLoadRulesWords.failedObjects.label}</Term> }}
        />
      </Fold>
      <Fold
        title="Capture and artefacts"
        detail="packets, HAR, screenshots, filmstrips"
        holds={[held.capture, held.capturePoints, held.artefacts]}
      >
        <SettingFields {...capture} names={['enabled', 'isolate']} />
        <FieldsRow least="12rem">
          <SettingFields {...capture} names={['snapBytes', 'maxBytesPerPass']} />
        </FieldsRow>
        <SettingFields {...capture} names={['keepTraces']} />
        <CapturePointFields />
        <SettingFields path={['artefacts']} schema={ArtefactSettingsSchema} words={artefactWords} />
      </Fold>
      <Fold title="Comparison" detail="confidence, metrics, equivalence margin" holds={[held.comparison]}>
        <Text size="sm" c="dimmed">
          Declared before the Run.
        </Text>
        <FieldsRow least="12rem">
          <SettingFields path={['comparison']} schema={ComparisonSettingsSchema} words={comparisonWords} />
        </FieldsRow>
        <FamilyField />
      </Fold>
      <Fold title="Trend" detail="the least reduction of a Run" path={['trend']}>
        <FieldsRow least="12rem">
          <SettingFields path={['trend']} schema={TrendSettingsSchema} words={trendWords} />
        </FieldsRow>
      </Fold>
      <Fold title="Figures" detail="what the report opens with" holds={[held.figures]}>
        <FigureFields />
      </Fold>
      <Fold title="Other Runs" detail="shared resources" holds={[held.resources]}>
        <LinesField
          path={['resources']}
          label={<Term of="resource">Shared resources</Term>}
          placeholder="origin-1"
          description="One per line. Runs that name the same resource run one after the other, as Runs do that share a host or load URLs of the same host."
          write={writeLines}
          read={readLines}
        />
      </Fold>
    </Stack>
  );
}

function FamilyField() {
  const { value, error, set } = useField(['comparison', 'family'], { isWhole: true });
  const chosen = Array.isArray(value) ? value.map(String) : [];
  return (
    <MultiSelect
      label="More metrics to test for differences"
      description="All claims share one correction (Holm)."
      data={metricChoices}
      value={chosen}
      error={error}
      onChange={(next) => set(next.length === 0 ? undefined : next)}
    />
  );
}

/** Where packets are captured without a User Agent. */
function CapturePointFields() {
  const { input, agents = [], change } = useEditor();
  const points = readList(input, path);
  const names = points.map((point) => readText(point, ['name']));
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        <Term of="capturePoint">Capture Points</Term>
      </Text>
      {points.map((point, index) => {
        const agent = agents.find(({ name }) => name === readText(point, ['host']));
        return (
          <Group
            key={index}
            align="flex-start"
            wrap="nowrap"
            gap="xs"
            role="group"
            aria-label={names[index] || `Capture Point ${index + 1}`}
          >
            <div style={{ flex: 1 }}>
              <FieldsRow least="9rem">
                <TextField path={[...path, index, 'name']} label="Name" isRequired />
                <ChoiceField path={[...path, index, 'host']} label="Host" choices={agents.map(({ name }) => name)} />
                <ChoiceField
                  path={[...path, index, 'interface']}
                  label="Interface"
                  choices={agent?.facts.interfaces.map(({ name }) => name) ?? []}
                />
                <TextField path={[...path, index, 'filter']} label="Filter" placeholder="every packet" isCode />
              </FieldsRow>
            </div>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={34}
              mt={25}
              aria-label={`Remove ${names[index] ?? ''}`}
              onClick={() => change([removeEntry(input, path, index)])}
            >
              ✕
            </ActionIcon>
          </Group>
        );
      })}
      <Group>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() =>
            change([
              {
                path: [...path, points.length],
                value: {
                  name: findFreeName('point', names),
                  host: agents[0]?.name ?? '',
                  interface: agents[0]?.facts.interfaces[0]?.name ?? '',
                },
              },
            ])
          }
        >
          Add a Capture Point
        </Button>
      </Group>
    </Stack>
  );
}

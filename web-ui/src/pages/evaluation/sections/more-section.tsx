import { MultiSelect, Stack, Text, ActionIcon, Button, Group } from '@mantine/core';
import { enginesObeying } from '#core/evaluation/browser/engine-settings.ts';
import { failedObjectsRules } from '#core/evaluation/failed-objects-rule.ts';
import { Term } from '../../../components/terms/term.tsx';
import { useField, useEditor } from '../editor/editor-context.ts';
import { ChoiceField } from '../fields/choice-field.tsx';
import { FieldsRow } from '../fields/fields-row.tsx';
import { LinesField } from '../fields/lines-field.tsx';
import { NumberField } from '../fields/number-field.tsx';
import { RestField } from '../fields/rest-field.tsx';
import { SwitchField } from '../fields/switch-field.tsx';
import { metricChoices } from './about-section.tsx';
import { FigureFields } from './figure-fields.tsx';
import { Fold } from './fold.tsx';
import { readLines, writeLines } from './lines-text.ts';
import { findFreeName } from '../editor/find-free-name.ts';
import { readList, readText } from '../editor/path.ts';
import { removeEntry } from '../editor/remove-entry.ts';
import { TextField } from '../fields/text-field.tsx';

const path = ['capturePoints'];

const lostObjectsChoices = Object.entries(failedObjectsRules).map(([value, label]) => ({ value, label }));

/** Settings whose defaults suit most Evaluations. */
export function MoreSection() {
  return (
    <Stack gap="sm">
      <Fold title="Page load" detail="viewport, quiet time, hard cap, failed objects">
        <FieldsRow>
          <NumberField path={['pageLoad', 'viewport', 'widthPx']} label="Viewport width" unit="px" byDefault={1366} />
          <NumberField path={['pageLoad', 'viewport', 'heightPx']} label="Viewport height" unit="px" byDefault={768} />
          <NumberField path={['pageLoad', 'quietMs']} label="Quiet time" unit="ms" byDefault={500} />
          <NumberField path={['pageLoad', 'timeoutMs']} label="Hard cap" unit="ms" byDefault={30_000} />
          <RestField path={['pageLoad', 'restMs']} byDefault={400} />
          <NumberField path={['repetition', 'attempts']} label="Attempts per Round" byDefault={3} />
        </FieldsRow>
        <ChoiceField
          path={['pageLoad', 'failedObjects']}
          label={<Term of="lostObjects">Visits that lost objects</Term>}
          choices={lostObjectsChoices}
          byDefault="count"
        />
      </Fold>
      <Fold title="Capture and artefacts" detail="packets, HAR, screenshots, filmstrips">
        <SwitchField
          path={['capture', 'enabled']}
          label="Capture packets of User Agents that have their own address"
          byDefault
        />
        <SwitchField
          path={['capture', 'isolate']}
          label="Isolate the other User Agents, and capture their packets too"
          description="Each runs as an OS user of its own, for its Pass. The Agent must be root on Linux."
          byDefault={false}
        />
        <FieldsRow least="12rem">
          <NumberField path={['capture', 'snapBytes']} label="Bytes kept per packet" unit="bytes" byDefault={512} />
          <NumberField
            path={['capture', 'maxBytesPerPass']}
            label="Maximum trace size"
            unit="MB"
            scale={1e-6}
            byDefault={1000}
          />
        </FieldsRow>
        <SwitchField path={['capture', 'keepTraces']} label="Keep traces as well as statistics" byDefault />
        <CapturePointFields />
        <SwitchField
          path={['artefacts', 'har']}
          label="Record headers for the HAR of each Visit"
          description="It costs time in the browser."
          byDefault={false}
        />
        <SwitchField
          path={['artefacts', 'screenshot']}
          label="Screenshot of each Visit"
          description="Taken after the measurement."
          byDefault={false}
        />
        <SwitchField
          path={['artefacts', 'filmstrip']}
          label="Filmstrip of each Visit"
          description={`Frames of the viewport while the page loads. Only with ${enginesObeying('filmstrip').join(', ')}. It costs time in the browser.`}
          byDefault={false}
        />
      </Fold>
      <Fold title="Comparison" detail="confidence, metrics, equivalence margin">
        <Text size="sm" c="dimmed">
          Declared before the Run.
        </Text>
        <FieldsRow least="12rem">
          <NumberField path={['comparison', 'confidence']} label="Confidence" unit="%" scale={100} byDefault={95} />
          <NumberField
            path={['comparison', 'equivalenceMargin']}
            label="Equivalent within ±"
            unit="%"
            scale={100}
            byDefault={5}
          />
        </FieldsRow>
        <FamilyField />
      </Fold>
      <Fold title="Figures" detail="what the report opens with">
        <FigureFields />
      </Fold>
      <Fold title="Other Runs" detail="shared resources">
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

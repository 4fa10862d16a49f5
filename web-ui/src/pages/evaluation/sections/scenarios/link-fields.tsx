import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import {
  linkPresetNames,
  linkPresets,
  type LinkPreset,
  type PresetDirection,
} from '#core/evaluation/network/link-profile-presets.ts';
import { tunnelNames } from '#core/evaluation/network/tunnel-settings.ts';
import { useEditor } from '../../editor/editor-context.ts';
import { readPath, readText, type Path } from '../../editor/path.ts';
import { ChoiceField } from '../../fields/choice-field.tsx';
import { FieldsRow } from '../../fields/fields-row.tsx';
import { LinesField } from '../../fields/lines-field.tsx';
import { SettingFields } from '../../fields/setting-fields.tsx';
import { SwitchedFields } from '../../fields/switch-field.tsx';
import { TextField } from '../../fields/text-field.tsx';
import { describeDirection } from '#core/evaluation/network/describe-link.ts';
import {
  DirectionInputSchema,
  directionWords,
  resolveLinkProfile,
} from '#core/evaluation/network/link-profile-input.ts';
import { readVariables, splitParts, writeVariables } from '../variables/variables-text.ts';

const presetChoices = linkPresetNames.map((preset) => ({
  value: preset,
  label: preset === 'none' ? 'none: a link without limits' : `${preset}: ${describePreset(preset)}`,
}));

const tunnelChoices = Object.entries(tunnelNames).map(([value, label]) => ({ value, label }));

/** The emulated link of a Scenario: a preset and what differs from it, or custom values. */
export function LinkFields({ path }: { path: Path }) {
  const { agents = [] } = useEditor();
  const testbeds = agents.filter(({ facts }) => facts.testbed !== null);
  return (
    <SwitchedFields
      path={path}
      label="Requests cross an emulated link"
      description={
        testbeds.length > 0 ? undefined : (
          <>
            No host has a{' '}
            <Anchor component={Link} to="/help/testbed" inherit underline="always">
              testbed
            </Anchor>
            . Start one: <code>./http-ae testbed up geo-1m --join --origin</code>
          </>
        )
      }
      initial={{ host: testbeds[0]?.name, link: { preset: 'geo-256k' } }}
    >
      <FieldsRow least="14rem">
        <ChoiceField
          path={[...path, 'host']}
          label="Host with the testbed"
          choices={agents.map(({ name, facts }) => ({
            value: name,
            label: facts.testbed ? `${name} (${facts.testbed.backend})` : `${name} (no testbed)`,
          }))}
          byDefault="testbed"
        />
        <PresetField path={[...path, 'link']} />
      </FieldsRow>
      <DirectionsFields path={[...path, 'link']} />
      <LinesField
        path={[...path, 'classes']}
        label="Shares of user classes"
        description="Guaranteed at the bottleneck. Without shares, users compete freely."
        placeholder="gold=0.5, silver=0.3, bronze=0.2"
        write={writeVariables}
        read={readVariables}
      />
      <BackgroundField path={[...path, 'background']} />
      <ChoiceField
        path={[...path, 'tunnel', 'kind']}
        label="Tunnel"
        description="A VPN between users and origin, across the link."
        placeholder="none"
        choices={tunnelChoices}
        isOptional
      />
    </SwitchedFields>
  );
}

/** Which preset the link at a path is. */
export function PresetField({ path }: { path: Path }) {
  return (
    <ChoiceField
      path={[...path, 'preset']}
      label="Link"
      choices={presetChoices}
      isOptional
      placeholder="custom values"
    />
  );
}

function BackgroundField({ path }: { path: Path }) {
  const { input } = useEditor();
  const isMore = hasMoreSettings(readPath(input, path));
  return (
    <LinesField
      path={path}
      label="Background load"
      description={
        isMore
          ? 'Has further settings: see YAML.'
          : 'Users that load the link during each Round: bulk-download, bulk-upload, video, voice.'
      }
      disabled={isMore}
      placeholder="bulk-download=2, voice=1"
      write={writeBackground}
      read={readBackground}
    />
  );
}

/** What differs from its preset. */
export function DirectionsFields({ path }: { path: Path }) {
  const preset = presetOf(useEditor().input, path);
  return (
    <>
      <DirectionFields path={[...path, 'forward']} title="To the users (forward)" preset={preset?.forward} />
      <DirectionFields path={[...path, 'return']} title="From the users (return)" preset={preset?.return} />
    </>
  );
}

function DirectionFields({ path, title, preset }: { path: Path; title: string; preset: PresetDirection | undefined }) {
  const { input } = useEditor();
  const special = ['rateTrace', 'rateOnDemand'].find((field) => readPath(input, [...path, field]) !== undefined);
  const isManaged =
    ['codel', 'fq-codel'].includes(readText(input, [...path, 'queue'])) ||
    ['queueTargetMs', 'queueIntervalMs'].some((field) => readPath(input, [...path, field]) !== undefined);
  const own = {
    path,
    schema: DirectionInputSchema,
    words: directionWords,
    byDefault: preset && { rateKbps: String(preset.rateKbps ?? 'varies'), delayMs: String(preset.delayMs) },
  };
  return (
    <div role="group" aria-label={title}>
      <Text size="sm" fw={600} mb={4}>
        {title}
      </Text>
      <FieldsRow least="7.5rem">
        {special ? (
          <TextField
            path={[...path, special, 'name']}
            label="Rate"
            disabled
            placeholder={special === 'rateTrace' ? 'follows a trace: see YAML' : 'on demand: see YAML'}
          />
        ) : (
          <SettingFields {...own} names={['rateKbps']} />
        )}
        <SettingFields
          {...own}
          names={['delayMs', 'lossRatio', 'lossBurstPackets', 'jitterMs', 'queueBytes', 'queue']}
        />
        {isManaged && <SettingFields {...own} names={['queueTargetMs', 'queueIntervalMs']} />}
      </FieldsRow>
    </div>
  );
}

/** What the preset of the link at a path is; undefined where it names none. */
function presetOf(input: unknown, path: Path) {
  const name = readText(input, [...path, 'preset']);
  return Object.hasOwn(linkPresets, name) ? linkPresets[name as LinkPreset] : undefined;
}

function describePreset(preset: LinkPreset): string {
  const link = resolveLinkProfile({ preset });
  const [forward, back] = [describeDirection(link.forward), describeDirection(link.return)];
  return forward === back ? `${forward} each way` : `${forward} to the users, ${back} from them`;
}

/** Background load as one types it: `bulk-download=2, voice=1`. */
export function writeBackground(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return '';
  return value
    .map(({ kind = '', users = 1 }: { kind?: string; users?: number | string }) => `${kind}=${users}`)
    .join(', ');
}

/** The loads of such a text; the text itself, which validation rejects, where it has none. */
export function readBackground(text: string): unknown {
  const loads: { kind: string; users: number | string }[] = [];
  for (const part of splitParts(text, ',')) {
    const [kind = '', users = '1', ...more] = part.split('=').map((each) => each.trim());
    if (kind === '' || more.length > 0) return text;
    loads.push({ kind, users: users !== '' && Number.isFinite(Number(users)) ? Number(users) : users });
  }
  return loads;
}

/** Whether a load has more than its kind and its users, which the text would lose. */
export function hasMoreSettings(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.some((load: object) => Object.keys(load).some((key) => key !== 'kind' && key !== 'users'))
  );
}

import { Button, Group, Stack, Text } from '@mantine/core';
import {
  BrowserSettingsSchema,
  browserWords,
  protocolNames,
  type BrowserSettings,
} from '#core/evaluation/browser/browser-settings.ts';
import { viewportWords } from '#core/evaluation/pages/page-load.ts';
import { enginesObeying } from '#core/evaluation/browser/engine-settings.ts';
import { mayUseProtocol } from '#core/evaluation/browser/explain-unsupported-settings.ts';
import { engineNames } from '#core/evaluation/users/user-agent.ts';
import { useEditor, useField } from '../../editor/editor-context.ts';
import { readList, readPath, readText, type Path } from '../../editor/path.ts';
import { FieldsRow } from '../../fields/fields-row.tsx';
import { LinesField } from '../../fields/lines-field.tsx';
import { ScriptField } from '../../fields/script-field.tsx';
import { SettingFields } from '../../fields/setting-fields.tsx';
import { readLines, splitParts, writeLines } from '../variables/variables-text.ts';

type Setting = keyof BrowserSettings;

/** The settings of the browser: those that the engines of the User Agents know, and those already written. */
export function BrowserFields({ path }: { path: Path }) {
  const { input } = useEditor();
  const used = new Set(readList(input, ['userAgents']).map((userAgent) => readText(userAgent, ['engine']) || 'chrome'));
  const isKnown = (setting: Setting) =>
    enginesObeying(setting).some((engine) => used.has(engine)) || readPath(input, [...path, setting]) !== undefined;
  const chosen = readList(input, [...path, 'protocols']);
  const protocols = protocolNames.filter(
    (name) =>
      chosen.includes(name) ||
      engineNames.filter((engine) => used.has(engine)).some((engine) => mayUseProtocol(engine, name)),
  );
  const own = { path, schema: BrowserSettingsSchema, words: browserWords, values: { protocols } };
  const viewport = { path: [...path, 'viewport'], schema: BrowserSettingsSchema.shape.viewport.unwrap() };
  const hidden = (Object.keys(browserWords) as Setting[]).filter((setting) => !isKnown(setting));
  return (
    <Stack gap="sm">
      <FieldsRow least="12rem">
        <SettingFields {...own} names={inRow.filter(isKnown)} />
        {isKnown('viewport') && (
          <SettingFields
            {...viewport}
            words={viewportWords}
            byDefault={{ widthPx: 'as in Page load', heightPx: 'as in Page load' }}
          />
        )}
        <SettingFields {...own} names={(['deviceScaleRatio'] as const).filter(isKnown)} />
      </FieldsRow>
      <SettingFields {...own} names={(['userAgentString'] as const).filter(isKnown)} />
      {isKnown('flags') && <OwnLinesField path={path} setting="flags" write={writeLines} read={readLines} />}
      {isKnown('prefs') && <OwnLinesField path={path} setting="prefs" write={writePrefs} read={readPrefs} />}
      {isKnown('trustedKeys') && (
        <OwnLinesField path={path} setting="trustedKeys" write={writeLines} read={readLines} />
      )}
      {isKnown('pac') && <PacField path={[...path, 'pac']} />}
      {hidden.length > 0 && (
        <Text size="sm" c="dimmed">
          Not available in the engines of your User Agents: {hidden.map((name) => browserWords[name].label).join(', ')}.
        </Text>
      )}
    </Stack>
  );
}

const inRow = [
  'proxy',
  'protocols',
  'blockedRequests',
  'connectionsPerOrigin',
  'pipeliningDepth',
  'http2Streams',
  'cache',
] as const;

interface OwnLinesFieldProps {
  path: Path;
  setting: 'flags' | 'prefs' | 'trustedKeys';
  write: (value: unknown) => string;
  read: (text: string) => unknown;
}

function OwnLinesField({ path, setting, ...conversion }: OwnLinesFieldProps) {
  const { label, example, byDefault, help } = browserWords[setting];
  return (
    <LinesField
      path={[...path, setting]}
      label={label}
      placeholder={example ?? byDefault ?? ''}
      description={help}
      {...conversion}
    />
  );
}

/** A script that chooses the proxy; most Scenarios have none. */
function PacField({ path }: { path: Path }) {
  const { value, set } = useField(path);
  if (value !== undefined) return <ScriptField path={path} label={browserWords.pac.label} language="javascript" />;
  return (
    <Group>
      <Button size="compact-sm" variant="default" onClick={() => set(plainPac)}>
        Choose the proxy with a script (PAC)
      </Button>
    </Group>
  );
}

const plainPac = `function FindProxyForURL(url, host) {
  return 'DIRECT';
}
`;

/** Firefox preferences, `name: value` on each line; a value is true, false, a whole number, or a text. */
export function writePrefs(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .map(
      ([name, each]) => `${name}: ${typeof each === 'string' && !isPlain(each) ? JSON.stringify(each) : String(each)}`,
    )
    .join('\n');
}

/** The preferences of such a text; the text itself, which validation rejects, where a line is not a preference. */
export function readPrefs(text: string): unknown {
  const entries: [string, unknown][] = [];
  for (const line of splitParts(text, '\n')) {
    const match = /^([^:\s]+)\s*:(.*)$/.exec(line);
    if (!match) return text;
    entries.push([match[1]!, readValue(match[2]!.trim())]);
  }
  return Object.fromEntries(entries);
}

/** Whether it is read again as the text that it is, on a line of its own. */
function isPlain(text: string): boolean {
  return text === text.trim() && !/[\r\n]/.test(text) && readValue(text) === text;
}

function readValue(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  if (/^-?\d{1,15}$/.test(text)) return Number(text);
  if (!/^".*"$/.test(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return text.slice(1, -1);
  }
}

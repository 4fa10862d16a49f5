import { Button, Group, MultiSelect, Stack, Text } from '@mantine/core';
import { protocolNames, requestKinds, type BrowserSettings } from '#core/evaluation/browser/browser-settings.ts';
import { enginesObeying } from '#core/evaluation/browser/engine-settings.ts';
import { mayUseProtocol } from '#core/evaluation/browser/explain-unsupported-settings.ts';
import { engineNames } from '#core/evaluation/users/user-agent.ts';
import { useEditor, useField } from '../../editor/editor-context.ts';
import { readList, readPath, readText, type Path } from '../../editor/path.ts';
import { FieldsRow } from '../../fields/fields-row.tsx';
import { cacheChoices } from './cache-choices.ts';
import { ChoiceField } from '../../fields/choice-field.tsx';
import { LinesField } from '../../fields/lines-field.tsx';
import { NumberField } from '../../fields/number-field.tsx';
import { ScriptField } from '../../fields/script-field.tsx';
import { TextField } from '../../fields/text-field.tsx';
import { readLines, writeLines } from '../lines-text.ts';

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
  const hidden = settings.filter(({ setting }) => !isKnown(setting)).map(({ label }) => label);
  return (
    <Stack gap="sm">
      <FieldsRow least="12rem">
        {isKnown('proxy') && (
          <TextField path={[...path, 'proxy']} label="Proxy" placeholder="http://host:port" isCode />
        )}
        {isKnown('protocols') && (
          <ChoicesField
            path={[...path, 'protocols']}
            label="HTTP versions"
            choices={protocols}
            byDefault="browser default"
          />
        )}
        {isKnown('blockedRequests') && (
          <ChoicesField
            path={[...path, 'blockedRequests']}
            label="Blocked requests"
            choices={requestKinds}
            byDefault="none"
          />
        )}
        {isKnown('connectionsPerOrigin') && (
          <NumberField
            path={[...path, 'connectionsPerOrigin']}
            label="Connections per origin"
            byDefault="browser default"
          />
        )}
        {isKnown('pipeliningDepth') && (
          <NumberField path={[...path, 'pipeliningDepth']} label="Pipelining depth" byDefault="1 (no pipelining)" />
        )}
        {isKnown('http2Streams') && (
          <NumberField path={[...path, 'http2Streams']} label="HTTP/2 streams" byDefault="browser default" />
        )}
        {isKnown('cache') && (
          <ChoiceField
            path={[...path, 'cache']}
            label="Cache"
            choices={cacheChoices}
            placeholder="as in Repetition"
            isOptional
          />
        )}
        {isKnown('viewport') && (
          <>
            <NumberField
              path={[...path, 'viewport', 'widthPx']}
              label="Viewport width"
              unit="px"
              byDefault="as in Page load"
            />
            <NumberField
              path={[...path, 'viewport', 'heightPx']}
              label="Viewport height"
              unit="px"
              byDefault="as in Page load"
            />
          </>
        )}
        {isKnown('deviceScaleRatio') && (
          <NumberField path={[...path, 'deviceScaleRatio']} label="Device pixel ratio" byDefault={1} />
        )}
      </FieldsRow>
      {isKnown('userAgentString') && (
        <TextField path={[...path, 'userAgentString']} label="User-Agent header" placeholder="browser default" isCode />
      )}
      {isKnown('flags') && (
        <LinesField
          path={[...path, 'flags']}
          label="Chrome switches"
          placeholder="--disable-http2"
          description="One per line."
          write={writeLines}
          read={readLines}
        />
      )}
      {isKnown('prefs') && (
        <LinesField
          path={[...path, 'prefs']}
          label="Firefox preferences"
          placeholder="network.http.http2.enabled: false"
          description="One per line."
          write={writePrefs}
          read={readPrefs}
        />
      )}
      {isKnown('trustedKeys') && (
        <LinesField
          path={[...path, 'trustedKeys']}
          label="Trusted certificate keys"
          placeholder="none"
          description="Base64 SHA-256 of each public key, one per line; “testbed” for the origin of a testbed."
          write={writeLines}
          read={readLines}
        />
      )}
      {isKnown('pac') && <PacField path={[...path, 'pac']} />}
      {hidden.length > 0 && (
        <Text size="sm" c="dimmed">
          Not available in the engines of your User Agents: {hidden.join(', ')}.
        </Text>
      )}
    </Stack>
  );
}

const settings: { setting: Setting; label: string }[] = [
  { setting: 'proxy', label: 'proxy' },
  { setting: 'pac', label: 'PAC script' },
  { setting: 'protocols', label: 'HTTP versions' },
  { setting: 'connectionsPerOrigin', label: 'connections per origin' },
  { setting: 'pipeliningDepth', label: 'pipelining' },
  { setting: 'http2Streams', label: 'HTTP/2 streams' },
  { setting: 'blockedRequests', label: 'blocked requests' },
  { setting: 'userAgentString', label: 'User-Agent header' },
  { setting: 'cache', label: 'cache' },
  { setting: 'viewport', label: 'viewport' },
  { setting: 'deviceScaleRatio', label: 'device pixel ratio' },
  { setting: 'flags', label: 'Chrome switches' },
  { setting: 'prefs', label: 'Firefox preferences' },
  { setting: 'trustedKeys', label: 'trusted keys' },
];

/** A script that chooses the proxy; most Scenarios have none. */
function PacField({ path }: { path: Path }) {
  const { value, set } = useField(path);
  if (value !== undefined)
    return <ScriptField path={path} label="Proxy auto-configuration script (PAC)" language="javascript" />;
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

interface ChoicesFieldProps {
  path: Path;
  label: string;
  choices: readonly string[];
  byDefault: string;
}

function ChoicesField({ path, label, choices, byDefault }: ChoicesFieldProps) {
  const { value, error, set } = useField(path, { isWhole: true });
  const chosen = Array.isArray(value) ? value.map(String) : [];
  return (
    <MultiSelect
      label={label}
      placeholder={chosen.length === 0 ? byDefault : ''}
      data={[...choices]}
      value={chosen}
      error={error}
      onChange={(next) => set(next.length === 0 ? undefined : next)}
    />
  );
}

/** Firefox preferences, `name: value` on each line; a value is true, false, a whole number, or a text. */
export function writePrefs(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .map(
      ([name, each]) =>
        `${name}: ${typeof each === 'string' && readValue(each) !== each ? JSON.stringify(each) : String(each)}`,
    )
    .join('\n');
}

/** The preferences of such a text; the text itself, which validation rejects, where a line is not a preference. */
export function readPrefs(text: string): unknown {
  const entries: [string, unknown][] = [];
  for (const line of text
    .split('\n')
    .map((each) => each.trim())
    .filter(Boolean)) {
    const match = /^([^:\s]+)\s*:(.*)$/.exec(line);
    if (!match) return text;
    entries.push([match[1]!, readValue(match[2]!.trim())]);
  }
  return Object.fromEntries(entries);
}

function readValue(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  if (/^-?\d{1,15}$/.test(text)) return Number(text);
  return /^".*"$/.test(text) ? text.slice(1, -1) : text;
}

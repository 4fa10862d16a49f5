import { DnsCacheSchema, dnsCacheWords } from '#core/evaluation/network/network-hosts.ts';
import { useEditor } from '../../editor/editor-context.ts';
import { readPath, type Path } from '../../editor/path.ts';
import { LinesField } from '../../fields/lines-field.tsx';
import { SettingFields } from '../../fields/setting-fields.tsx';

const cacheSchema = { shape: { dnsCache: DnsCacheSchema.optional() } };

/** Hosts beyond the gateway, each with a name and a distance of its own. `path`: of the network. */
export function HostsFields({ path }: { path: Path }) {
  const { input } = useEditor();
  if (readPath(input, path) === undefined) return null;
  return (
    <>
      <LinesField
        path={[...path, 'hosts']}
        label="Hosts"
        description="A name in each line, and its settings: aliases, delayMs, lossRatio, rateKbps, thinkTimeMs, protocols. URLs name these hosts."
        placeholder="www.shop.test delayMs=20 protocols=h3+h2+http/1.1"
        write={writeHosts}
        read={readHosts}
      />
      <SettingFields path={path} schema={cacheSchema} words={dnsCacheWords} />
    </>
  );
}

/** Hosts as one types them, a line each: `www.shop.test delayMs=20 protocols=h3+h2`. */
export function writeHosts(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return '';
  return (value as Record<string, unknown>[])
    .map(({ name = '', ...settings }) => {
      const shown = Object.entries(settings).map(
        ([setting, each]) => `${setting}=${Array.isArray(each) ? each.join('+') : String(each)}`,
      );
      return [String(name), ...shown].join(' ');
    })
    .join('\n');
}

/** The hosts of such a text; the text itself, which validation rejects, where it is none. */
export function readHosts(text: string): unknown {
  const hosts: Record<string, unknown>[] = [];
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    const [name, ...words] = line.trim().split(/\s+/);
    const settings = words.map((word) => /^(\w+)=(.+)$/.exec(word));
    if (settings.includes(null)) return text;
    const host: Record<string, unknown> = { name };
    for (const [, setting, value] of settings as RegExpExecArray[]) host[setting!] = readValue(setting!, value!);
    hosts.push(host);
  }
  return hosts;
}

function readValue(setting: string, text: string): unknown {
  if (setting === 'protocols' || setting === 'aliases') return text.split('+');
  return Number.isFinite(Number(text)) ? Number(text) : text;
}

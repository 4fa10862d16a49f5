import type { JsonSchema } from '#core/evaluation/evaluation-json-schema.ts';

interface Row {
  setting: string;
  value: string;
  meaning: string;
}

/** What more there is to a setting than its row says. */
const links: Record<string, string> = {
  scenarios:
    'Many conditions at once: [Variables, groups and sweeps](sweeps.md). In which order scripts, network and checks run: [Agents](agents.md#what-happens-in-a-round-in-this-order). Which engine has which browser setting: [Agents](agents.md). The link: [Testbed](testbed.md).',
  pageLoad:
    'When a page has settled: [Metrics](metrics.md). How lost objects count: [Statistics](statistics.md#failed-objects).',
  comparison: 'What is computed, and why: [Statistics](statistics.md).',
  artefacts: 'What each costs: [Threats to validity](threats-to-validity.md).',
  resources: 'Which Runs wait for each other: [Controllers](controllers.md#runs-at-the-same-time).',
  figures: 'Which metrics there are: [Metrics](metrics.md).',
  capturePoints: 'What is captured where: [Decision 13](decisions/0013-capture-points.md).',
};

/** `docs/evaluation-reference.md`: a section for each part of an Evaluation, a row for each setting, from the JSON Schema of an Evaluation. */
export function formatEvaluationReference(schema: JsonSchema): string {
  const parts = Object.entries(propertiesOf(schema));
  const simple = parts.filter(([, part]) => mappingIn(part) === null);
  const sections = parts.filter(([, part]) => mappingIn(part) !== null);
  return `# Every setting of an Evaluation

For people who write or read the YAML file of an Evaluation. The web UI has the same settings, and [your editor](#check-the-file-in-your-editor) can check the file.

Durations are in milliseconds, limits of texts in characters. \`[]\` is one item of a list, and \`{}\` one entry of a mapping.

## The Evaluation itself
${formatTable([...simple, ...sections].flatMap(([name, part]) => rowsOf(name, part, isRequired(schema, name), new Map()).slice(0, 1)))}
${sections.map(([name, part]) => formatSection(name, part)).join('\n')}
## Check the file in your editor
VS Code with the YAML extension, Neovim, Emacs and others read the schema that the first line of a file names:

\`\`\`yaml
# yaml-language-server: $schema=PATH/TO/http-ae/docs/evaluation.schema.json
\`\`\`

\`./http-ae schema > docs/evaluation.schema.json\` writes it. A running Controller serves it at \`/api/evaluation.schema.json\`.
The schema does not know rules across settings, such as the one baseline. \`./http-ae evaluate FILE --estimate\` checks all and stores nothing.
`;
}

function formatSection(name: string, part: JsonSchema): string {
  const rows = rowsOf(name, part, false, new Map()).slice(1);
  return `## \`${name}\`
${part.description ?? ''}
${links[name] === undefined ? '' : `${links[name]}\n`}
${formatTable(rows.map((row) => ({ ...row, setting: placeInSection(row.setting) })))}`;
}

function formatTable(rows: readonly Row[]): string {
  const escape = (text: string) => text.replaceAll('|', '\\|');
  const lines = rows.map((row) => `| \`${row.setting}\` | ${escape(row.value)} | ${escape(row.meaning)} |`);
  return ['| setting | value | meaning |', '| --- | --- | --- |', ...lines, ''].join('\n');
}

function placeInSection(setting: string): string {
  return setting.replace(/^\w+(\[\]|\{\}\[\])?\./, '');
}

/** The row of a setting, and those of the settings in it, unless another one that the section has `seen` has the same. */
function rowsOf(setting: string, schema: JsonSchema, required: boolean, seen: Map<string, string>): Row[] {
  const row = {
    setting,
    value: `${describeValue(schema)}${required ? ', **required**' : describeDefault(schema)}`,
    meaning: schema.description ?? '',
  };
  const inner = mappingIn(schema);
  if (inner === null) return [row];
  const { mapping, suffix } = inner;
  const rows = Object.entries(propertiesOf(mapping)).flatMap(([name, child]) => {
    const place = `${setting}${suffix}.${name}`;
    const shape = JSON.stringify({ ...child, description: undefined });
    const twin = seen.get(shape);
    if (twin === undefined) seen.set(shape, placeInSection(place));
    const rowsOfChild = rowsOf(place, child, isRequired(mapping, name), seen);
    if (twin === undefined || rowsOfChild.length === 1) return rowsOfChild;
    return [{ ...rowsOfChild[0]!, value: `as \`${twin}\`` }];
  });
  return [row, ...rows];
}

/** The mapping that a setting is, or has in its list or in its entries; null of one that has none. */
function mappingIn(schema: JsonSchema): { mapping: JsonSchema; suffix: string } | null {
  if (schema.properties) return { mapping: schema, suffix: '' };
  const inner = (part: unknown, suffix: string) => {
    const found = typeof part === 'object' && part !== null ? mappingIn(part as JsonSchema) : null;
    return found && { mapping: found.mapping, suffix: suffix + found.suffix };
  };
  if (schema.anyOf) return joinMappings(schema.anyOf.map((each) => inner(each, '')).filter((found) => found !== null));
  return inner(schema.items, '[]') ?? inner(schema.additionalProperties, '{}');
}

/** The last of several has what all have in common; what the others have besides comes after it. */
function joinMappings(
  found: readonly { mapping: JsonSchema; suffix: string }[],
): { mapping: JsonSchema; suffix: string } | null {
  const last = found.at(-1);
  if (!last) return null;
  const properties = found
    .toReversed()
    .reduce<Record<string, JsonSchema>>((all, { mapping }) => ({ ...propertiesOf(mapping), ...all }), {});
  // Required is what every one of them requires.
  const required = last.mapping.required?.filter((name) => found.every(({ mapping }) => isRequired(mapping, name)));
  return {
    ...last,
    mapping: {
      ...last.mapping,
      ...(required && { required }),
      properties: { ...propertiesOf(last.mapping), ...properties },
    },
  };
}

function propertiesOf(schema: JsonSchema): Record<string, JsonSchema> {
  return (schema.properties ?? {}) as Record<string, JsonSchema>;
}

function isRequired(schema: JsonSchema, name: string): boolean {
  return schema.required?.includes(name) ?? false;
}

function describeDefault({ default: value }: JsonSchema): string {
  const isEmpty =
    value === undefined || value === '' || (typeof value === 'object' && Object.keys(value as object).length === 0);
  return isEmpty ? '' : ` (default \`${typeof value === 'string' ? value : JSON.stringify(value)}\`)`;
}

function describeValue(schema: JsonSchema): string {
  if (schema.anyOf) return [...new Set(schema.anyOf.map((each) => describeValue(each)))].join(' or ');
  if (schema.enum) return describeNames(schema.enum);
  if (schema.const !== undefined) return `\`${String(schema.const)}\``;
  switch (schema.type) {
    case 'boolean':
      return '`true`, `false`';
    case 'integer':
    case 'number':
      return describeRange(schema);
    case 'string':
      return schema.maxLength === undefined ? 'text' : `text, at most ${schema.maxLength}`;
    case 'array':
      return `list${schema.maxItems === undefined ? '' : `, at most ${schema.maxItems}`}${describeItems(schema)}`;
    default:
      return 'mapping';
  }
}

const mostNames = 12;

function describeNames(values: readonly unknown[]): string {
  const names = values.map((value) => `\`${String(value)}\``);
  return names.length <= mostNames
    ? names.join(', ')
    : `${names.slice(0, 4).join(', ')}, … (${names.length} names, in the schema)`;
}

function describeItems({ items }: JsonSchema): string {
  const { enum: values, type } = (items ?? {}) as JsonSchema;
  if (values) return ` of ${values.map((value) => `\`${String(value)}\``).join(', ')}`;
  return type === 'string' ? ' of texts' : '';
}

function describeRange({ type, minimum, maximum }: JsonSchema): string {
  const kind = type === 'integer' ? 'integer' : 'number';
  const isBounded = (bound: number | undefined): bound is number =>
    bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
  if (isBounded(minimum) && isBounded(maximum)) return `${kind}, ${minimum} to ${maximum}`;
  if (isBounded(minimum)) return `${kind}, at least ${minimum}`;
  return isBounded(maximum) ? `${kind}, at most ${maximum}` : kind;
}

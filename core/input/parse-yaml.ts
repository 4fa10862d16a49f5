import { isAlias, isMap, isPair, isScalar, isSeq } from 'yaml';
import type { z } from 'zod';
import { describeIssues, formatPath, maximumIssues, type FieldIssue } from './describe-issues.ts';
import { findUnstorable, offsetOf, openYaml, type YamlText } from './yaml-text.ts';

/** Aliases of aliases can expand a few lines to gigabytes. */
const maximumAliases = 50;

/** A field that is wrong, with its line, from 1; null where the text has no place for it. */
export interface LocatedIssue extends FieldIssue {
  line: number | null;
}

/**
 * What a YAML text says. `malformed`: it is not a document, so its fields are unknown; `wrong`: `input` is what it says, and does not
 * fit the schema.
 */
export type ParsedYaml<Value> =
  | { kind: 'valid'; input: unknown; value: Value }
  | { kind: 'wrong'; input: unknown; issues: LocatedIssue[] }
  | { kind: 'malformed'; issues: LocatedIssue[] };

/** Parses a YAML text (1.2, one document, keys unique) by a schema. Every issue has its line. */
export function parseYaml<Schema extends z.ZodType>(text: string, schema: Schema): ParsedYaml<z.output<Schema>> {
  const opened = openYaml(text);
  const { document, faults } = opened;
  if (faults.length > 0) return malformed(faults.slice(0, maximumIssues).map((fault) => ({ path: [], ...fault })));
  if (document.contents === null) return malformed([{ path: [], line: null, message: 'it is empty' }]);

  let input: unknown;
  try {
    input = document.toJS({ maxAliasCount: maximumAliases });
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    return malformed([
      { path: [], line: null, message: `its aliases (*name) are unresolved or too many: ${error.message}` },
    ]);
  }
  const parsed = parseStorable(input, schema);
  if (parsed.kind === 'valid') return { kind: 'valid', input, value: parsed.value };
  return {
    kind: 'wrong',
    input,
    issues: parsed.issues.slice(0, maximumIssues).map((issue) => ({ ...issue, line: findLine(issue, opened) })),
  };
}

/** Parses what a person wrote, as YAML or JSON have it, by a schema. */
export function parseStorable<Schema extends z.ZodType>(
  input: unknown,
  schema: Schema,
): { kind: 'valid'; value: z.output<Schema> } | { kind: 'wrong'; issues: FieldIssue[] } {
  const unstorable = findUnstorable(input);
  if (unstorable.length > 0) return { kind: 'wrong', issues: unstorable };
  const parsed = schema.safeParse(input);
  if (parsed.success) return { kind: 'valid', value: parsed.data };
  return { kind: 'wrong', issues: describeIssues(parsed.error, { schema, input }) };
}

/** The issues of a file for people: a line `FILE:LINE: field: message` for each. */
export function listIssues(file: string, issues: readonly LocatedIssue[]): string {
  return issues
    .map(({ line, path, message }) =>
      [line === null ? file : `${file}:${line}`, formatPath(path), message].filter(Boolean).join(': '),
    )
    .join('\n');
}

function malformed(issues: LocatedIssue[]): ParsedYaml<never> {
  return { kind: 'malformed', issues };
}

/** The line of the deepest part of the path that is in the text: a missing key has the line of what should have it. */
function findLine(issue: FieldIssue, { document, lines }: YamlText): number | null {
  let node: unknown = document.contents;
  let offset = offsetOf(node);
  for (const step of issue.path) {
    const target = isAlias(node) ? node.resolve(document) : node;
    const child = isMap(target)
      ? target.items.find((pair) => String(isScalar(pair.key) ? pair.key.value : pair.key) === String(step))
      : isSeq(target)
        ? target.items[Number(step)]
        : undefined;
    if (child === undefined) break;
    offset = offsetOf(isPair(child) ? child.key : child) ?? offset;
    node = isPair(child) ? child.value : child;
  }
  return offset === null ? null : lines.linePos(offset).line;
}

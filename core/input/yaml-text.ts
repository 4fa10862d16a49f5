import { Composer, Document, isScalar, Lexer, LineCounter, Parser, visit, type CST } from 'yaml';
import type { FieldIssue } from './describe-issues.ts';

/** Mappings and lists within each other. Who reads a document calls itself for each, so that thousands would end in a full stack. */
const maximumDepth = 100;
const tooDeep = `has more than ${maximumDepth} mappings and lists within each other`;

/** A text as YAML; with a fault, only a part of it may be in the document. */
export interface YamlText {
  document: Document;
  lines: LineCounter;
  /** Where the text is no YAML: each with its line, from 1. */
  faults: { line: number; message: string }[];
}

/** Opens a YAML text (1.2, one document, keys unique). */
export function openYaml(text: string): YamlText {
  const lines = new LineCounter();
  const composer = new Composer({ version: '1.2', strict: true, uniqueKeys: false, prettyErrors: false });
  let document: Document | null = null;
  try {
    for (const each of composer.compose(readTokens(text, lines), true, text.length)) {
      if (document) return { document, lines, faults: [refuseSecond(each, lines)] };
      document = each;
    }
  } catch (error) {
    if (!(error instanceof TooDeepError)) throw error;
    return { document: new Document(null), lines, faults: [{ line: error.line, message: `the text ${tooDeep}` }] };
  }
  const whole = document!; // even an empty text has one
  const faults = [...whole.errors, ...whole.warnings].map(({ pos, message }) => ({ offset: pos[0], message }));
  faults.push(...findRepeatedKeys(whole));
  return {
    document: whole,
    lines,
    faults: faults.map(({ offset, message }) => ({ line: lines.linePos(offset).line, message })),
  };
}

class TooDeepError extends Error {
  readonly line: number;

  constructor(line: number) {
    super(tooDeep);
    this.line = line;
  }
}

/** Checks the depth as it grows, before anything calls itself for it. */
function* readTokens(text: string, lines: LineCounter): Generator<CST.Token> {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme);
    // The document itself and a text in it are there too.
    if (parser.stack.length > maximumDepth + 2) throw new TooDeepError(lines.linePos(parser.offset).line);
  }
  yield* parser.end();
}

function refuseSecond({ range }: Document.Parsed, lines: LineCounter): YamlText['faults'][number] {
  return {
    line: lines.linePos(range[0]).line,
    message: 'a second document begins here: take out the line "---" before it',
  };
}

/** The library's own check compares every key with every other: a large mapping would take minutes. */
function findRepeatedKeys(document: Document): { offset: number; message: string }[] {
  const repeated: { offset: number; message: string }[] = [];
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<string>();
      for (const { key } of items) {
        if (!isScalar<string | number | boolean | null>(key)) continue;
        // As an object has it: there, 1 and "1" are one key, and the first value would be lost.
        const name = String(key.value ?? '');
        if (seen.has(name))
          repeated.push({
            offset: offsetOf(key) ?? 0,
            message: `the key ${JSON.stringify(name)} appears twice in one mapping`,
          });
        seen.add(name);
      }
    },
  });
  return repeated;
}

/** Where a node begins in its text; null for what is none. */
export function offsetOf(node: unknown): number | null {
  const range = typeof node === 'object' && node !== null && 'range' in node ? node.range : null;
  return Array.isArray(range) && typeof range[0] === 'number' ? range[0] : null;
}

/**
 * All in a document that would not be kept as it is: the character U+0000 and half a surrogate pair, `.inf` and `.nan`, whole numbers of which a double keeps the first digits alone, the key `__proto__`,
 * which schemas pass over, and depth without end, as aliases and long JSON may bring it. Looked for before a schema reads the document.
 */
export function findUnstorable(value: unknown, path: PropertyKey[] = []): FieldIssue[] {
  if (typeof value === 'string')
    return isStorable(value)
      ? []
      : [{ path, message: 'must not contain the character U+0000 or half of a surrogate pair' }];
  if (typeof value === 'number') {
    const problem = explainNumber(value);
    return problem === null ? [] : [{ path, message: problem }];
  }
  if (typeof value !== 'object' || value === null) return [];
  if (path.length === maximumDepth) return [{ path: path.slice(0, 1), message: tooDeep }];
  return Object.entries(value).flatMap(([key, each]) => {
    if (key === '__proto__') return [{ path: [...path, key], message: 'is no name that can be kept: choose another' }];
    if (!isStorable(key))
      return [{ path, message: 'must not have a key with the character U+0000 or half of a surrogate pair' }];
    return findUnstorable(each, [...path, Array.isArray(value) ? Number(key) : key]);
  });
}

/** Null where nothing is wrong with it. */
function explainNumber(value: number): string | null {
  if (!Number.isFinite(value)) return `must be a finite number, not ${nameNumber(value)}`;
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return null;
  return `has more digits than a number keeps (${value}): put quotes around it where it may be a text`;
}

/** As YAML writes it. */
function nameNumber(value: number): string {
  if (Number.isNaN(value)) return '.nan';
  return value > 0 ? '.inf' : '-.inf';
}

function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

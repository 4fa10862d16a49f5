import path from 'node:path';
import { isMap, isPair, isScalar, visit, type YAMLMap } from 'yaml';
import { AppError } from '#core/app-error.ts';
import { openYaml } from '#core/input/yaml-text.ts';

/** What a key may name a file for. */
interface FileKey {
  /** As in `key: { file: PATH }`. */
  key: string;
  /** Where this is written too, `file` is a mistake that the schema reports. */
  content: string;
  /** Throws `invalid-input` with file and line. */
  read: (file: string) => Promise<Record<string, unknown>>;
}

/** A value that names a file, and its place in the text. */
interface NamedFile {
  file: string;
  others: Record<string, unknown>;
  begin: number;
  end: number;
  line: number;
}

/**
 * Puts the contents of each file that a `key: { file: PATH }` of a YAML text names in its place; the path is as seen from the YAML file. Every line keeps its
 * number, so that other faults keep theirs. Throws `invalid-input` with the named file and the place; faults of the YAML are left to its reader.
 */
export async function inlineFiles(yaml: string, yamlFile: string, fileKey: FileKey): Promise<string> {
  let text = yaml;
  // From the last to the first, as what is put in moves what follows.
  for (const { file, others, begin, end, line } of findFiles(yaml, fileKey).toReversed()) {
    const contents = await explain(
      () => fileKey.read(path.resolve(path.dirname(yamlFile), file)),
      `${yamlFile}:${line}`,
    );
    const lineBreaks = '\n'.repeat(yaml.slice(begin, end).split('\n').length - 1);
    text = `${text.slice(0, begin)}${JSON.stringify({ ...contents, ...others })}${lineBreaks}${text.slice(end)}`;
  }
  return text;
}

function findFiles(yaml: string, { key: wanted, content }: FileKey): NamedFile[] {
  const { document, lines, faults } = openYaml(yaml);
  if (faults.length > 0) return [];
  const found: NamedFile[] = [];
  visit(document, {
    Pair(_, { key, value }) {
      if (!isScalar(key) || key.value !== wanted || !isMap(value)) return;
      const file = value.get('file');
      if (typeof file !== 'string' || value.has(content)) return;
      const [begin, end] = value.range!;
      found.push({ file, others: othersOf(value), begin, end, line: lines.linePos(begin).line });
    },
  });
  return found;
}

function othersOf(map: YAMLMap): Record<string, unknown> {
  const entries = map.items
    .filter(isPair)
    .map(({ key, value }) => [String(isScalar(key) ? key.value : key), isScalar(value) ? value.value : value] as const);
  return Object.fromEntries(entries.filter(([key]) => key !== 'file'));
}

async function explain<T>(read: () => Promise<T>, place: string): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError(error.code, `${error.message} (named in ${place})`, { cause: error });
  }
}

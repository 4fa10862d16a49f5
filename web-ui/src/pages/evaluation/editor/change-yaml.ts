import { Document, isMap, isScalar, parseDocument, visit, YAMLSeq } from 'yaml';
import { isSamePath, isWithin, type Path, readList } from './path.ts';

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Where one text may stand for a mapping, and the key that it is the value of. */
const shorthands: { path: Path; key: string }[] = [
  { path: ['urlLists', '*', '*'], key: 'url' },
  { path: ['scenarios', '*', 'network', 'link'], key: 'preset' },
  { path: ['scenarios', '*', 'network', 'path', '*'], key: 'preset' },
];

const deepest = Math.max(...shorthands.map(({ path }) => path.length));

/** A field and what it becomes; undefined takes it out. */
export interface Change {
  path: Path;
  value: unknown;
}

/**
 * The text with fields changed, its comments and order kept. A text with aliases is written out whole first: a change to what several places share
 * would change all of them. Throws when the text is no YAML document.
 */
export function changeYaml(text: string, changes: readonly Change[]): string {
  const document = open(text);
  for (const { path, value } of changes) {
    listSitePage(document, path);
    if (value === undefined) remove(document, path);
    else put(document, path, value);
  }
  return document.toString({ lineWidth: 0 });
}

function open(text: string): Document {
  const document: Document = parseDocument(text, { version: '1.2', uniqueKeys: false });
  if (document.errors.length > 0) throw document.errors[0]!;
  const aliases: unknown[] = [];
  visit(document, {
    Alias: (_, alias) => void aliases.push(alias),
    // A path has keys as texts: by it, the list `2024:` would not be found.
    Pair: (_, { key }) => {
      if (isScalar<string | number | boolean | null>(key) && typeof key.value !== 'string')
        key.value = String(key.value ?? '');
    },
  });
  if (aliases.length > 0 || !isMap(document.contents))
    return new Document(document.toJS() ?? {}, { aliasDuplicateObjects: false });
  return document;
}

function put(document: Document, path: Path, value: unknown): void {
  for (let length = 1; length < path.length; length++) {
    const outer = path.slice(0, length);
    const node = document.getIn(outer, true);
    if (isScalar(node)) document.setIn(outer, document.createNode(expandShorthand(node.value, outer) ?? {}));
  }
  // A plain value takes the place of the one before in its node, whose comment stays.
  const isPlain = typeof value !== 'object' || value === null;
  document.setIn(path, isPlain ? value : document.createNode(value, { aliasDuplicateObjects: false }));
}

/** A list that is one page of a Site, written without its list, gets one before an entry of it is changed. */
function listSitePage(document: Document, [top, list, entry]: Path): void {
  if (top !== 'urlLists' || list === undefined || entry !== 0) return;
  const node = document.getIn([top, list], true);
  if (!isMap(node)) return;
  const entries = new YAMLSeq(document.schema);
  entries.add(node);
  document.setIn([top, list], entries);
}

/** Mappings that mean something without entries: a proxy with its defaults, the nodes of a path alone. What a link or a segment lacks, validation asks for. */
const meansSomethingEmpty = new Set<Path[number]>(['httpep', 'tcpPep', 'path', 'link', 'access', 'terrestrial']);

/** Takes a field out, and the mappings that have nothing left. */
function remove(document: Document, path: Path): void {
  const holder = path.slice(0, -1);
  const text = document.getIn(holder, true);
  const mapping = isScalar(text) ? expandShorthand(text.value, holder) : null;
  if (mapping && path.at(-1)! in mapping) document.setIn(holder, document.createNode(mapping));
  if (!document.hasIn(path)) return;
  document.deleteIn(path);
  for (let length = path.length - 1; length > 0; length--) {
    const outer = path.slice(0, length);
    const node = document.getIn(outer, true);
    if (!isMap(node) || node.items.length > 0 || typeof path[length - 1] === 'number') return;
    if (meansSomethingEmpty.has(path[length - 1]!)) return;
    document.deleteIn(outer);
  }
}

/** The mapping that a text stands for at a path; null where it stands for itself. */
function expandShorthand(value: unknown, path: Path): Record<string, string> | null {
  if (typeof value !== 'string') return null;
  const found = shorthands.find((each) =>
    isSamePath(
      each.path.map((step, index) => (step === '*' ? (path[index] ?? step) : step)),
      path,
    ),
  );
  return found ? { [found.key]: value } : null;
}

function isSitePage(value: unknown, [top, list, ...rest]: Path): boolean {
  return (
    top === 'urlLists' &&
    list !== undefined &&
    rest.length === 0 &&
    isObject(value) &&
    !Array.isArray(value) &&
    'site' in value
  );
}

/** The whole input without shorthands, so that a field has one place, however it was written. */
export function expandShorthands(value: unknown, path: Path = []): unknown {
  const expanded = expandShorthand(value, path);
  if (expanded) return expanded;
  if (isSitePage(value, path)) return [value];
  if (path.length >= deepest || !isObject(value)) return value;
  if (Array.isArray(value)) return value.map((each, index) => expandShorthands(each, [...path, index]));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, expandShorthands(each, [...path, key])]));
}

/** The changes that make one document the other. Lists of another length are changed whole. */
export function listChanges(one: unknown, other: unknown, path: Path = []): Change[] {
  if (Array.isArray(one) && Array.isArray(other)) {
    if (one.length !== other.length) return [{ path, value: other }];
    return one.flatMap((each, index) => listChanges(each, other[index], [...path, index]));
  }
  if (isMapping(one) && isMapping(other)) {
    const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
    return [...keys].flatMap((key) => listChanges(one[key], other[key], [...path, key]));
  }
  return one === other ? [] : [{ path, value: other }];
}

/** Which of my changes can be made without touching what others changed, and which cannot. */
export function separateChanges(
  mine: readonly Change[],
  theirs: readonly Change[],
): { free: Change[]; contested: Change[] } {
  const isContested = ({ path }: Change) =>
    theirs.some((each) => isWithin(each.path, path) || isWithin(path, each.path));
  return { free: mine.filter((change) => !isContested(change)), contested: mine.filter(isContested) };
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Takes one entry out of a list that may be left out, and the list with its last. */
export function removeEntry(input: unknown, list: Path, index: number): Change {
  return { path: readList(input, list).length === 1 ? list : [...list, index], value: undefined };
}

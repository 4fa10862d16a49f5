import { isSamePath, type Path } from './path.ts';

/** Where one text may stand for a mapping, and the key that it is the value of. */
const shorthands: { path: Path; key: string }[] = [
  { path: ['urlLists', '*', '*'], key: 'url' },
  { path: ['scenarios', '*', 'network', 'link'], key: 'preset' },
  { path: ['scenarios', '*', 'network', 'path', '*'], key: 'preset' },
];

/** The mapping that a text stands for at a path; null where it stands for itself. */
export function expandShorthand(value: unknown, path: Path): Record<string, string> | null {
  if (typeof value !== 'string') return null;
  const found = shorthands.find((each) =>
    isSamePath(
      each.path.map((step, index) => (step === '*' ? (path[index] ?? step) : step)),
      path,
    ),
  );
  return found ? { [found.key]: value } : null;
}

/** The whole input without shorthands, so that a field has one place, however it was written. */
export function expandShorthands(value: unknown, path: Path = []): unknown {
  const expanded = expandShorthand(value, path);
  if (expanded) return expanded;
  if (path.length >= deepest || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each, index) => expandShorthands(each, [...path, index]));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, expandShorthands(each, [...path, key])]));
}

const deepest = Math.max(...shorthands.map(({ path }) => path.length));

/** Where a field is in an Evaluation: keys and places in lists. */
export type Path = readonly (string | number)[];

/** The value at a path; undefined where there is none. */
export function readPath(input: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, step) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    return (value as Record<string | number, unknown>)[step];
  }, input);
}

export function isSamePath(one: readonly PropertyKey[], other: readonly PropertyKey[]): boolean {
  return one.length === other.length && isWithin(one, other);
}

/** Whether a path leads to the other one or into it. */
export function isWithin(path: readonly PropertyKey[], outer: readonly PropertyKey[]): boolean {
  return outer.every((step, index) => String(path[index]) === String(step) && index < path.length);
}

/** The entries of a list that somebody else may have written as anything. */
export function readList(input: unknown, path: Path): unknown[] {
  const value = readPath(input, path);
  return Array.isArray(value) ? (value as unknown[]) : [];
}

/** The keys of a mapping that somebody else may have written as anything. */
export function readKeys(input: unknown, path: Path): string[] {
  const value = readPath(input, path);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
}

/** A text as it stands there; empty where there is none. */
export function readText(input: unknown, path: Path): string {
  const value = readPath(input, path);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

import type { Change } from './change-yaml.ts';
import { isWithin, type Path } from './path.ts';

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

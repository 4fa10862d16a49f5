import type { Change } from './change-yaml.ts';
import { readList, type Path } from './path.ts';

/** Takes one entry out of a list that may be left out, and the list with its last. */
export function removeEntry(input: unknown, list: Path, index: number): Change {
  return { path: readList(input, list).length === 1 ? list : [...list, index], value: undefined };
}

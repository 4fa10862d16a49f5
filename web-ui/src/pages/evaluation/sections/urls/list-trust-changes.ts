import type { Change } from '../../editor/change-yaml.ts';
import { readList, readPath } from '../../editor/path.ts';

/** What makes all Scenarios trust a key; none where they do. */
export function listTrustChanges(input: unknown, trustedKey: string): Change[] {
  return readList(input, ['scenarios']).flatMap((scenario, index) => {
    const keys = readPath(scenario, ['browser', 'trustedKeys']) ?? [];
    const list: unknown[] = Array.isArray(keys) ? keys : [keys];
    if (list.includes(trustedKey)) return [];
    return [{ path: ['scenarios', index, 'browser', 'trustedKeys'], value: [...list, trustedKey] }];
  });
}

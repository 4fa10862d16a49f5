import { readKeys, readList, readText } from '../path.ts';

/** The URLs of all lists, as they are written. */
export function listUrls(input: unknown): string[] {
  return readKeys(input, ['urlLists']).flatMap((list) =>
    readList(input, ['urlLists', list]).map((entry) => readText(entry, ['url'])),
  );
}

import { findHeader, hasToken, listValues, type HeaderList } from '#core/http1/header-list.ts';

/** Whether a request may be answered with an image of this type that lost detail. Both ends ask: what was fetched ahead may answer another request. */
export function allowsLoss(asked: HeaderList, type: string): boolean {
  if (hasToken(asked, 'cache-control', 'no-transform')) return false;
  // What a script reads may have to be the very bytes.
  return ['image', null].includes(findHeader(asked, 'sec-fetch-dest')) && accepts(asked, type);
}

/** RFC 9110, 12.5.1. A browser that accepts any type may not know WebP, unless it names it. */
function accepts(asked: HeaderList, type: string): boolean {
  const isNew = type === 'image/webp';
  if (findHeader(asked, 'accept') === null) return !isNew;
  const ranges = listValues(asked, 'accept').map((value) => value.toLowerCase().split(';'));
  // The most specific one counts.
  const found = [type, ...(isNew ? [] : ['image/*', '*/*'])]
    .map((name) => ranges.find(([range]) => range!.trim() === name))
    .find((range) => range !== undefined);
  return found !== undefined && !found.some((parameter) => /^[ \t]*q=0(\.0*)?[ \t]*$/.test(parameter));
}

import type { FieldIssue } from './describe-issues.ts';

/** Every text in a document that PostgreSQL cannot store: it knows neither the character U+0000 nor half a surrogate pair. */
export function findUnstorableText(value: unknown, path: PropertyKey[] = []): FieldIssue[] {
  if (typeof value === 'string')
    return isStorable(value)
      ? []
      : [{ path, message: 'must not contain the character U+0000 or half of a surrogate pair' }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => {
    if (!isStorable(key))
      return [{ path, message: 'must not have a key with the character U+0000 or half of a surrogate pair' }];
    return findUnstorableText(each, [...path, Array.isArray(value) ? Number(key) : key]);
  });
}

function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

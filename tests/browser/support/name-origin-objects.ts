/** The names that the origin gave the objects of a page, sorted, each once. */
export function nameOriginObjects(objects: readonly { url: string }[]): string[] {
  const names = objects.map(({ url }) => new URL(url).searchParams.get('object'));
  return [...new Set(names.filter((name) => name !== null))].sort();
}

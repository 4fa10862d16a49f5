/**
 * The links of a `Link` header, each as the attributes that a `link` element would have. https://www.rfc-editor.org/rfc/rfc8288#section-3
 * Quotation marks may hold commas and semicolons.
 */
export function readLinkHeader(value: string): Record<string, string>[] {
  const links = value.match(/<[^<>]*>(?:"(?:[^"\\]|\\.)*"|[^",])*/g) ?? [];
  return links.map((link) => {
    const [, href = '', rest = ''] = /^<([^<>]*)>([\s\S]*)$/.exec(link) ?? [];
    const parameters = [...rest.matchAll(/;\s*([\w-]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*)))?/g)];
    const attributes = parameters.map(([, name, quoted, bare]): [string, string] => [
      name!.toLowerCase(),
      quoted?.replaceAll(/\\(.)/g, '$1') ?? bare ?? '',
    ]);
    // The first of several of one name counts.
    return { ...Object.fromEntries(attributes.reverse()), href: href.trim() };
  });
}

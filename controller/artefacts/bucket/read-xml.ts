const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** What the elements of this name hold, in order. The answers of S3 nest no element in one of the same name, and have neither attributes nor comments in those that are read here. */
export function readElements(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}(?: [^>]*)?>([\\s\\S]*?)</${name}>`, 'g'))].map(
    ([, contents]) => contents!,
  );
}

/** The text of the first element of this name; null when there is none. */
export function readText(xml: string, name: string): string | null {
  const [contents] = readElements(xml, name);
  if (contents === undefined) return null;
  return contents.replace(
    /&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi,
    (whole, ...[decimal, hex, named]: (string | undefined)[]) => {
      if (named !== undefined) return entities[named] ?? whole;
      return String.fromCodePoint(decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal));
    },
  );
}

export function escapeXml(text: string): string {
  return text.replace(/[&<>]/g, (character) => ({ '&': '&amp;', '<': '&lt;' })[character] ?? '&gt;');
}

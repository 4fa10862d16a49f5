export interface SheetText {
  url: string;
  text: string;
  /** The sheet that imports it; null for one that the document itself has. */
  importerUrl: string | null;
}

/** Of some style sheets, and of all that they import, the texts that are known: an imported sheet after the one that imports it, each once. */
export function findSheetTexts(urls: readonly string[], texts: ReadonlyMap<string, string>): SheetText[] {
  const found = new Map<string, SheetText>();
  const wanted = urls.map((url): Omit<SheetText, 'text'> => ({ url, importerUrl: null }));
  for (const { url, importerUrl } of wanted) {
    const text = texts.get(url);
    if (text === undefined || found.has(url)) continue;
    found.set(url, { url, text, importerUrl });
    wanted.push(...listImports(text, url).map((imported) => ({ url: imported, importerUrl: url })));
  }
  return [...found.values()];
}

/** As Chrome writes rules: one each line, their addresses in double quotes. */
function listImports(text: string, url: string): string[] {
  const addresses = Array.from(text.matchAll(/^@import url\("([^"\\\n]*)"\)/gm), ([, address]) => address!);
  return addresses.filter((address) => URL.canParse(address, url)).map((address) => new URL(address, url).href);
}

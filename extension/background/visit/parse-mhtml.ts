/**
 * The style sheets in what Chrome saves of a page (MHTML), by address: as the browser holds them, those of other origins and those that they
 * import too. https://www.rfc-editor.org/rfc/rfc2557
 */
export function parseStyleSheets(mhtml: string): Map<string, string> {
  const sheets = new Map<string, string>();
  for (const { headers, body } of listParts(mhtml)) {
    const address = readHeader(headers, 'Content-Location');
    if (readHeader(headers, 'Content-Type') !== 'text/css' || !/^https?:/.test(address)) continue;
    sheets.set(
      address,
      decodeText(
        readHeader(headers, 'Content-Transfer-Encoding') === 'base64'
          ? atob(body.replaceAll('\r\n', ''))
          : decodeQuotedPrintable(body),
      ),
    );
  }
  return sheets;
}

/** After the title, which a page chooses, and in which no line ends. */
const typeHeader = '\r\nContent-Type: multipart/related;';

function* listParts(mhtml: string): Generator<{ headers: string; body: string }> {
  const start = mhtml.indexOf(typeHeader);
  const boundary = start < 0 ? undefined : /boundary="([^"\r\n]{1,200})"/.exec(mhtml.slice(start, start + 1000))?.[1];
  if (boundary === undefined) throw new Error('Chrome saved the page without MIME parts');
  const delimiter = `\r\n--${boundary}`;
  let at = mhtml.indexOf(delimiter, start);
  while (at >= 0) {
    const headersEnd = mhtml.indexOf('\r\n\r\n', at + delimiter.length);
    const next = mhtml.indexOf(delimiter, at + delimiter.length);
    if (headersEnd >= 0 && next > headersEnd)
      yield {
        headers: `${mhtml.slice(at + delimiter.length, headersEnd)}\r\n`,
        body: mhtml.slice(headersEnd + 4, next),
      };
    at = next;
  }
}

function readHeader(headers: string, name: string): string {
  const start = headers.indexOf(`\r\n${name}: `);
  if (start < 0) return '';
  const from = start + name.length + 4;
  return headers.slice(from, headers.indexOf('\r\n', from));
}

/** To a text of which each character is a byte. https://www.rfc-editor.org/rfc/rfc2045#section-6.7 */
function decodeQuotedPrintable(body: string): string {
  return body
    .replaceAll('=\r\n', '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** Chrome begins each sheet with the encoding that it wrote it in. */
function decodeText(bytes: string): string {
  const label = /^@charset "([\w-]{1,40})";/.exec(bytes)?.[1] ?? 'utf-8';
  return new TextDecoder(label).decode(Uint8Array.from(bytes, (character) => character.charCodeAt(0)));
}

interface SheetText {
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

import type { UrlEntry } from '#core/evaluation/pages/url-entry.ts';

const labelColumn = 'label';
const urlColumn = 'url';

/** A recording of Chrome’s Recorder begins as every mapping of JSON does, and no URL: `{origin}/` has a variable of the Scenario. */
export function isRecording(text: string): boolean {
  return /^\s*\{\s*(?:["}]|$)/.test(text);
}

/** The entry of a recording, as it was exported: validation shows what of it is wrong. Null where it is no JSON. */
export function parseRecording(text: string): { journey: unknown } | null {
  try {
    return { journey: JSON.parse(text) as unknown };
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/**
 * The entries of a pasted or uploaded list: a URL or pattern on each line, or CSV whose header names `url` and, where there are any, `label` and variables
 * (every other column). Empty lines and those that begin with # say nothing.
 */
export function parseUrlLines(text: string): UrlEntry[] {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .filter((line) => line.trim() !== '' && !line.trimStart().startsWith('#'));
  const first = lines[0];
  if (first === undefined) return [];

  // Where the header has one column alone, all of a line is the URL.
  const separator = [';', '\t', ','].find((mark) => splitRow(first, mark).length > 1) ?? null;
  const header = splitRow(first, separator).map((name) => name.trim());
  // A URL may contain a comma, as in ?fields=id,url: without a header each line is one URL.
  const hasHeader = header.some((name) => name.toLowerCase() === urlColumn) && !first.includes('://');
  if (!hasHeader) return lines.map((line) => ({ url: line.trim() }));
  const columns = header.map((name) =>
    [urlColumn, labelColumn].includes(name.toLowerCase()) ? name.toLowerCase() : name,
  );
  return lines.slice(1).map((line) => readRow(splitRow(line, separator), columns));
}

function readRow(cells: string[], columns: string[]): UrlEntry {
  const cellOf = (column: string) => cells[columns.indexOf(column)]?.trim() ?? '';
  const variables = columns.flatMap((column, index) => {
    const cell = cells[index]?.trim() ?? '';
    if (column === urlColumn || column === labelColumn || column === '' || cell === '') return [];
    return [[column, readVariable(cell)] as const];
  });
  const label = cellOf(labelColumn);
  const beyond = cells.findIndex((cell, index) => index >= columns.length && cell.trim() !== '');
  return {
    url: cellOf(urlColumn),
    ...(label !== '' && { label }),
    ...(variables.length > 0 && { variables: Object.fromEntries(variables) }),
    // Validation rejects it: a comma that no quotes protect has cut the URL or the label.
    ...(beyond !== -1 && { [`cell ${beyond + 1} of ${columns.length}`]: cells[beyond] }),
  };
}

/** A number where it is one; else the text, which validation rejects. */
function readVariable(cell: string): number | string {
  return Number.isFinite(Number(cell)) ? Number(cell) : cell;
}

/** One row of CSV (RFC 4180, without line breaks in cells). */
function splitRow(line: string, separator: string | null): string[] {
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let index = 0; index < line.length; index++) {
    const character = line[index]!;
    if (character === '"' && isQuoted && line[index + 1] === '"') {
      cell += '"';
      index++;
    } else if (character === '"' && (isQuoted || cell.trim() === '')) {
      isQuoted = !isQuoted;
    } else if (character === separator && !isQuoted) {
      cells.push(cell);
      cell = '';
    } else {
      cell += character;
    }
  }
  return [...cells, cell];
}

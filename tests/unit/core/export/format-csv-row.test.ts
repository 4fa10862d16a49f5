import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatCsvRow } from '#core/export/format-csv-row.ts';

describe('a CSV row', () => {
  test('quotes what must be quoted, and leaves numbers as they are', () => {
    expect(formatCsvRow(['a', 'b,c', 'd "e"', 'f\ng', -1.5, null, true])).toBe(
      'a,"b,c","d ""e""","f\ng",-1.5,,true\r\n',
    );
  });

  test('quotes a text that readers take for a missing value, and no other: a missing value is an empty cell', () => {
    const words = [
      'NA',
      'N/A',
      'n/a',
      '<NA>',
      '#N/A',
      '#N/A N/A',
      '#NA',
      'NULL',
      'null',
      'None',
      'NaN',
      'nan',
      '1.#IND',
    ];
    expect(formatCsvRow([null, ...words, null])).toBe(`,${words.map((word) => `"${word}"`).join(',')},\r\n`);
    expect(formatCsvRow(['none', 'NAT', 'nullable', 'NA 1', 'na', 'Null', '', NaN, false])).toBe(
      'none,NAT,nullable,NA 1,na,Null,,NaN,false\r\n',
    );
  });

  test('has no text that a spreadsheet would execute', () => {
    expect(formatCsvRow(['=1+1', '+1', '-1', '@x', '\tx', 'a=b'])).toBe(`'=1+1,'+1,'-1,'@x,"'\tx",a=b\r\n`);
  });

  test('has no text that a spreadsheet would execute where it separates cells by semicolons or tabs', () => {
    expect(formatCsvRow(["http://a/?x;=cmd|'/C calc'!A0"])).toBe(`"http://a/?x;'=cmd|'/C calc'!A0"\r\n`);
    fc.assert(
      fc.property(
        fc.array(
          fc.string({ unit: fc.constantFrom('=', '+', '-', '@', ';', ',', '"', '\t', '\r', '\n', ' ', "'", 'a') }),
          { minLength: 1 },
        ),
        fc.constantFrom(',' as const, ';' as const, '\t' as const),
        (texts, separator) => {
          for (const cell of readCells(formatCsvRow(texts), separator)) expect(cell).not.toMatch(/^ *[=+\-@]/);
        },
      ),
    );
  });
});

/** As a spreadsheet reads them: quotation marks count at the beginning of a cell; what follows the closing one belongs to the cell. */
function readCells(text: string, separator: ',' | ';' | '\t'): string[] {
  const cells: string[] = [];
  let rest = text;
  while (rest !== '') {
    const quoted = /^"((?:[^"]|"")*)"/.exec(rest);
    const value = quoted ? quoted[1]!.replaceAll('""', '"') : '';
    rest = rest.slice(quoted?.[0].length ?? 0);
    const end = rest.search(separator === ',' ? /[,\r\n]/ : separator === ';' ? /[;\r\n]/ : /[\t\r\n]/);
    cells.push(value + (end === -1 ? rest : rest.slice(0, end)));
    rest = end === -1 ? '' : rest.slice(end + 1);
  }
  return cells;
}

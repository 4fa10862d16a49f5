import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { parse, type DefaultTreeAdapterTypes } from 'parse5';
import { expect, test } from 'vitest';
import { formatReportFile, reportDataId, type ReportData } from '#core/comparison/report-file.ts';

/** The text of every script of a document. */
function scriptsOf(html: string): { attributes: Record<string, string>; text: string }[] {
  const found: { attributes: Record<string, string>; text: string }[] = [];
  const walk = (node: DefaultTreeAdapterTypes.Node) => {
    if (node.nodeName === 'script' && 'attrs' in node) {
      const text = node.childNodes.map((child) => ('value' in child ? child.value : '')).join('');
      found.push({ attributes: Object.fromEntries(node.attrs.map(({ name, value }) => [name, value])), text });
    }
    if ('childNodes' in node) node.childNodes.forEach(walk);
  };
  walk(parse(html));
  return found;
}

const hostile = fc.oneof(
  fc.string(),
  fc.constantFrom(
    '</script><script>alert(1)</script>',
    '<!--<script>',
    ']]>',
    '\u2028',
    '<img src=x onerror=alert(1)>',
  ),
);

test('no text of the data is ever markup, and all of it is read again as it was', async () => {
  await fc.assert(
    fc.asyncProperty(hostile, async (text) => {
      const data = { comparison: { evaluationName: text } } as unknown as ReportData;
      const scripts = scriptsOf(await formatReportFile({ data, script: 'run()', style: '' }));
      expect(scripts).toHaveLength(4);
      expect(scripts[0]?.attributes).toEqual({ type: 'application/json', id: reportDataId });
      expect(JSON.parse(scripts[0]!.text)).toEqual({ comparison: { evaluationName: text } });
    }),
  );
});

test('what shows the data is packed, so that nothing in it is markup, and is unpacked as it was', async () => {
  const script = `const a = "</script><!-- <script>";${' '.repeat(20_000)}keep(a)`;
  const style = 'a::before { content: "</style>" }';
  const [, ...packed] = scriptsOf(await formatReportFile({ data: {} as ReportData, script, style }));
  const unpacked = packed.slice(0, 2).map(({ text }) => gunzipSync(Buffer.from(text, 'base64')).toString());
  expect(unpacked).toEqual([style, script]);
});

test('the file may ask for nothing', async () => {
  expect(await formatReportFile({ data: {} as ReportData, script: '', style: '' })).toContain(
    `content="default-src 'none';`,
  );
});

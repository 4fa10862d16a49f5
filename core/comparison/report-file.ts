import { z } from 'zod';
import { ComparisonSchema } from './comparison.ts';
import { MeasurementsSchema } from '../record/measurements.ts';
import { RunMethodSchema } from '../record/run-method.ts';
import { WireComparisonSchema } from './network/compare-wire.ts';

/** What a report holds that is exported as one file: all that it shows without a Controller. */
export const ReportDataSchema = z.object({
  version: z.literal(1),
  comparison: ComparisonSchema,
  wire: WireComparisonSchema,
  method: RunMethodSchema,
  /** Of its figures; null in a report that was written before there were any. */
  measurements: MeasurementsSchema.nullable().default(null),
});
export type ReportData = z.infer<typeof ReportDataSchema>;

/** So many arguments a call takes in every browser. */
const stretch = 8192;

/** The id of the element that holds the data. */
export const reportDataId = 'report-data';

/** Where a Controller serves what makes a report of its data, both built with the web UI. */
export const reportParts = { script: '/report/report.js', style: '/report/report.css' } as const;

/** The ids of what is compressed: base64 of gzip. */
const packedIds = { style: 'report-style', script: 'report-script' } as const;

/** Unpacks the style, then the script; in the browser. */
const unpack = `(async () => {
  for (const [id, name] of [['${packedIds.style}', 'style'], ['${packedIds.script}', 'script']]) {
    const bytes = Uint8Array.from(atob(document.getElementById(id).textContent), (letter) => letter.charCodeAt(0));
    const part = document.createElement(name);
    part.textContent = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).text();
    document.body.append(part);
  }
})();`;

/**
 * The report as one HTML document. Its policy forbids it every request, and no text of the data can be taken for markup. The data can be read as they are; what shows them is
 * compressed, which makes the file less than half as long.
 */
export async function formatReportFile({
  data,
  script,
  style,
}: {
  data: ReportData;
  script: string;
  style: string;
}): Promise<string> {
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="content-security-policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<title>HTTP-AE report</title>',
    '</head>',
    '<body>',
    '<div id="root"></div>',
    '<noscript>This report needs JavaScript, which it has with it.</noscript>',
    `<script type="application/json" id="${reportDataId}">${json}</script>`,
    `<script type="text/plain" id="${packedIds.style}">${await pack(style)}</script>`,
    `<script type="text/plain" id="${packedIds.script}">${await pack(script)}</script>`,
    `<script>${unpack}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

/** In base64, which holds no markup. */
async function pack(text: string): Promise<string> {
  const packed = new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('gzip')));
  const bytes = new Uint8Array(await packed.arrayBuffer());
  const letters = Array.from({ length: Math.ceil(bytes.length / stretch) }, (_, index) =>
    String.fromCharCode(...bytes.subarray(index * stretch, (index + 1) * stretch)),
  );
  return btoa(letters.join(''));
}

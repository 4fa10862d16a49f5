import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Ajv, type AnySchemaObject } from 'ajv';
import draft6 from 'ajv/dist/refs/json-schema-draft-06.json' with { type: 'json' };

const ajv = new Ajv({
  strict: false,
  allErrors: true,
  formats: {
    'date-time': (text: string) => !Number.isNaN(Date.parse(text)),
    uri: (text: string) => URL.canParse(text),
    ipv4: /^\d+(\.\d+){3}$/,
    ipv6: /^[\da-f:.]*:[\da-f:.]*$/i,
  },
});
ajv.addMetaSchema(draft6);
const folder = path.dirname(createRequire(import.meta.url).resolve('har-schema'));
for (const file of globSync('*.json', { cwd: folder }))
  ajv.addSchema(JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as AnySchemaObject);

/** What in a HAR is not as the JSON schemas of HAR 1.2 say. */
export function findHarFaults(har: unknown): string[] {
  const validate = ajv.getSchema('har.json');
  if (!validate) throw new Error(`There is no schema of HARs in ${folder}`);
  return validate(har) ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

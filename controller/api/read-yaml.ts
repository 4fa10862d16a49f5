import type { z } from 'zod';
import { formatPath } from '#core/input/describe-issues.ts';
import { parseYaml } from '#core/input/parse-yaml.ts';
import { refuseInput } from './invalid-input-error.ts';

/** Reads a YAML text. Throws InvalidInputError in which every issue has its line. */
export function readYaml<Schema extends z.ZodType>(text: string, schema: Schema): z.output<Schema> {
  const parsed = parseYaml(text, schema);
  if (parsed.kind === 'valid') return parsed.value;
  throw refuseInput(
    'YAML',
    parsed.issues.map(({ path, line, message }) => ({ path: formatPath(path), line, message })),
  );
}

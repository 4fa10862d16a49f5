import { FigureChoiceSchema, type FigureChoice } from '#core/evaluation/figures/figure-choice.ts';

/** Fields of a choice in the address, each with `figure.` before it. */
const prefix = 'figure.';
const listed = ['series', 'panels'] as const;
const plain = ['title', 'kind', 'y', 'statistic', 'x'] as const;
const flags = ['logX', 'logY'] as const;

/** The choice that an address holds; null of one that holds none, or none that can be read. */
export function readChoice(search: URLSearchParams): FigureChoice | null {
  const read = (field: string) => search.get(prefix + field);
  const fields: Record<string, unknown> = {};
  for (const field of plain) if (read(field) !== null) fields[field] = read(field);
  for (const field of listed) if (read(field) !== null) fields[field] = read(field)!.split(',').filter(Boolean);
  for (const field of flags) if (read(field) !== null) fields[field] = true;
  const only = readOnly(read('only'));
  if (only !== null) fields.only = only;
  if (Object.keys(fields).length === 0) return null;
  return FigureChoiceSchema.safeParse(fields).data ?? null;
}

/** Of a shown figure. What is left open stays so. */
export function writeChoice(search: URLSearchParams, choice: FigureChoice | null): void {
  for (const key of [...search.keys()]) if (key.startsWith(prefix)) search.delete(key);
  if (choice === null) return;
  const write = (field: string, value: string) => search.set(prefix + field, value);
  for (const field of plain) if (choice[field] !== undefined) write(field, choice[field]);
  for (const field of listed) if (choice[field] !== undefined) write(field, choice[field].join());
  for (const field of flags) if (choice[field]) write(field, '');
  if (choice.only !== undefined && Object.keys(choice.only).length > 0) write('only', JSON.stringify(choice.only));
}

function readOnly(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null; // a link that was cut off shows all
  }
}

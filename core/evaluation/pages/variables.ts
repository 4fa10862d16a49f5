import { z } from 'zod';

export const mostVariables = 50;
export const longestValue = 500;

export const VariableNameSchema = z
  .string()
  .regex(/^[A-Za-z_]\w{0,39}$/, 'must be a word of letters, digits and _')
  // Objects cannot keep it as a key like others.
  .refine((name) => name !== '__proto__', 'must be another name than __proto__');

export const VariableValueSchema = z.union(
  [
    z.number().refine(Number.isFinite, 'must be a number'),
    z
      .string()
      .min(1, 'must not be empty')
      .max(longestValue, `must have at most ${longestValue} characters`)
      .regex(/^[^\p{Cc}]*$/u, 'must be a single line'),
  ],
  'must be a number or a text',
);
export type VariableValue = z.infer<typeof VariableValueSchema>;

/** Values by name, such as `{ origin: 'https://origin.example', rateKbps: 256 }`. */
export const VariablesSchema = z
  .record(VariableNameSchema, VariableValueSchema, { error: 'must be a mapping of names to numbers or texts' })
  .refine(
    (variables) => Object.keys(variables).length <= mostVariables,
    `must have at most ${mostVariables} variables`,
  );
export type Variables = z.infer<typeof VariablesSchema>;

/** Braces around the name of a variable. Braces around a number, a list or a range are a matter of URL patterns. */
const place = /\{([A-Za-z_]\w{0,39})\}/g;

/** The names of the variables in a text, each once, in order. */
export function variablesIn(text: string): string[] {
  return [...new Set([...text.matchAll(place)].map(([, name]) => name!))];
}

/** The text with `{name}` replaced by the value of each variable that there is. Other braces stay. */
export function fillVariables(text: string, variables: Readonly<Record<string, unknown>> = {}): string {
  return text.replace(place, (braces, name: string) =>
    Object.hasOwn(variables, name) ? String(variables[name]) : braces,
  );
}

import { secretPattern, secretVariable } from '#core/evaluation/journey/journey-secret.ts';

/** The text to type, with secrets of the Agent's environment in their places; null where it has one of them not. */
export function readTypedText(value: string, environment: Readonly<Record<string, string | undefined>>): string | null {
  const secrets = new Map(
    [...value.matchAll(secretPattern)].map(([, name]) => [name, environment[secretVariable(name!)]]),
  );
  if ([...secrets.values()].includes(undefined)) return null;
  return value.replace(secretPattern, (_, name: string) => secrets.get(name)!);
}

import { readFileSync } from 'node:fs';
import path from 'node:path';

export const unitFolder = path.resolve(import.meta.dirname, '../../../../httpep/systemd');

/** The settings of a unit file or an EnvironmentFile, by name, in order. Continued lines are not known here. */
export function readSettings(name: string): Map<string, string[]> {
  const settings = new Map<string, string[]>();
  for (const line of readFileSync(path.join(unitFolder, name), 'utf8').split('\n')) {
    if (line === '' || line.startsWith('#') || line.startsWith('[')) continue;
    const [key, ...rest] = line.split('=');
    if (rest.length === 0) throw new Error(`${name}: ${line} is no setting`);
    settings.set(key!, [...(settings.get(key!) ?? []), rest.join('=')]);
  }
  return settings;
}

/** A word `$NAME` becomes several words, `${NAME}` a part of one, as systemd does it. Throws for an unknown name. */
export function expandCommand(command: string, environment: Readonly<Record<string, string>>): string[] {
  const valueOf = (name: string) => {
    const value = environment[name];
    if (value === undefined) throw new Error(`Nothing sets ${name}`);
    return value;
  };
  return command
    .split(' ')
    .flatMap((word) =>
      /^\$\w+$/.test(word)
        ? valueOf(word.slice(1)).split(' ')
        : [word.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => valueOf(name))],
    );
}

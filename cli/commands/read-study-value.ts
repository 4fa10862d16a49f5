import { InvalidArgumentError } from 'commander';

/** For an option that may be given several times: adds `NAME=VALUE` to the values so far. */
export function readStudyValue(text: string, values: Record<string, string> = {}): Record<string, string> {
  const [, name, value] = /^([a-z][A-Za-z0-9]*)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError('It must be a name and a value, such as rounds=5.');
  return { ...values, [name]: value };
}

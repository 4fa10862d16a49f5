import { InvalidArgumentError } from 'commander';
import { NameSchema } from '#core/evaluation/name.ts';

/** For an option: the name of a host in Evaluations. */
export function readAgentName(text: string): string {
  const { success, data, error } = NameSchema.safeParse(text);
  if (!success) throw new InvalidArgumentError(`It ${error.issues[0]!.message}.`);
  return data;
}

import { z } from 'zod';
import { editDistance } from '#core/input/describe-issues.ts';
import { NameSchema } from '#core/evaluation/name.ts';
import { SshAddressSchema, SshUserSchema } from '#core/protocol/api/host-join.ts';

const maximumTextLength = 1_000;

const Text = z
  .string({ error: 'must be a text' })
  .min(1, 'must not be empty')
  .max(maximumTextLength, `must have at most ${maximumTextLength} characters`)
  .regex(/^[^\p{Cc}]*$/u, 'must be a single line')
  .regex(/^(?!.*\{\{)/u, 'must be the value itself: templates ({{ … }}) are not filled in');

/** Ansible takes the words of YAML 1.1 too. */
const Switch = z
  .union([z.boolean(), z.stringFormat('yes or no', /^(?:yes|no|true|false|on|off)$/i)], {
    error: 'must be true or false',
  })
  .transform((value) => (typeof value === 'boolean' ? value : /^(?:yes|true|on)$/i.test(value)));

const Port = z.coerce
  .number({ error: 'must be a port, from 1 to 65535' })
  .pipe(z.int('must be a whole number').min(1, 'must be at least 1').max(65_535, 'must be at most 65535'));

const Words = Text.transform((text, context) => {
  const words = splitWords(text);
  if (words !== null) return words;
  context.addIssue({ code: 'custom', message: 'has a quotation mark without its partner' });
  return z.NEVER;
});

/** Further words of ssh. One that is no option would be the host for ssh, and the host's address a part of what is run there. */
const SshOptions = Words.superRefine((words, context) => {
  const stray = findStrayWord(words);
  if (stray === null) return;
  const shown = JSON.stringify(stray.slice(0, 80));
  context.addIssue({ code: 'custom', message: `must be options of ssh, each with its value: ${shown} is none` });
});

const known = {
  /** Where the host is; its name when left out. */
  ansible_host: Text.pipe(SshAddressSchema).optional(),
  ansible_user: Text.pipe(SshUserSchema).optional(),
  ansible_port: Port.optional(),
  ansible_ssh_private_key_file: Text.optional(),
  ansible_ssh_common_args: SshOptions.optional(),
  ansible_ssh_extra_args: SshOptions.optional(),
  ansible_connection: z.enum(['ssh', 'smart'], { error: 'must be ssh: hosts are reached by ssh only' }).optional(),
  /** The Agent runs as root. */
  ansible_become: Switch.optional(),
  ansible_become_method: z.literal('sudo', { error: 'must be sudo: no other way to become root is known' }).optional(),
  ansible_become_user: z.literal('root', { error: 'must be root: log in as another user by ansible_user' }).optional(),
  http_ae_allow_scripts: Switch.optional(),
  /** False: no browser at all. */
  http_ae_browser: Switch.optional(),
  /** True brings Firefox; false runs none even where it is installed. */
  http_ae_firefox: Switch.optional(),
};
const knownNames = Object.keys(known);

/** Both spellings of Ansible, old and new. */
const passwords = /^ansible_(?:(?:ssh_|become_|sudo_)?pass(?:word)?|ssh_private_key_passphrase)$/;

/** Variables of a host or a group. Ansible's others, and people's own, are left alone, unless they look like a slip. */
export const VariablesSchema = z.looseObject(known).superRefine((variables, context) => {
  for (const name of Object.keys(variables)) {
    const fault = knownNames.includes(name) ? null : findFault(name);
    if (fault !== null) context.addIssue({ code: 'custom', path: [name], message: fault });
  }
});
export type HostVariables = z.output<typeof VariablesSchema>;

function findFault(name: string): string | null {
  if (passwords.test(name))
    return 'is a password, and passwords are never used: let in a key of yours, and let sudo ask for none (NOPASSWD)';
  const likely = knownNames.find((each) => name.length <= 40 && editDistance(name, each) <= 2);
  if (likely !== undefined) return `unknown key "${name.slice(0, 80)}"; did you mean "${likely}"?`;
  if (!name.startsWith('http_ae_')) return null;
  return `unknown key "${name.slice(0, 80)}"; known here: ${knownNames.filter((each) => each.startsWith('http_ae_')).join(', ')}`;
}

const GroupName = NameSchema;

/** One or several by a range. Each is also a name of an Agent, which has no spaces around it, and a value of options of commands. */
const HostNames = Text.regex(/^(?![\s-]).*\S$/u, 'must not begin with "-" or a space, nor end with a space');

type Maybe<Value> = Value | null | undefined;

/** A group of Ansible's YAML inventory; null says nothing of it but that it exists. */
export interface InventoryGroup {
  hosts?: Maybe<Record<string, HostVariables | null>>;
  vars?: Maybe<HostVariables>;
  children?: Maybe<Record<string, InventoryGroup | null>>;
}

const GroupSchema = z.strictObject({
  hosts: z.record(HostNames, VariablesSchema.nullable()).nullish(),
  vars: VariablesSchema.nullish(),
  get children(): z.ZodType<Maybe<Record<string, InventoryGroup | null>>> {
    return z.record(GroupName, GroupSchema.nullable()).nullish();
  },
});

/** An inventory: groups by their names, mostly only `all`. */
export const InventorySchema = z.record(GroupName, GroupSchema.nullable());
export type Inventory = z.output<typeof InventorySchema>;

/** Those of ssh(1) that have a value, in the same word or as the next. */
const optionsWithValue = 'BbcDEeFIiJLlmOoPpQRSWw';

/** The first word that is neither an option of ssh nor the value of one, or is an option without its value. */
export function findStrayWord(words: readonly string[]): string | null {
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (!/^-[^-]/.test(word)) return word;
    let letter = 1;
    while (letter < word.length && !optionsWithValue.includes(word[letter]!)) letter++;
    if (letter !== word.length - 1) continue;
    if (++at === words.length) return word;
  }
  return null;
}

/** The words of a text as a POSIX shell splits them, without expansions; null where a quotation mark has no partner. */
export function splitWords(text: string): string[] | null {
  const words: string[] = [];
  let word = '';
  let isInWord = false;
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]!;
    if (quote !== '') {
      if (letter === quote) quote = '';
      else if (letter === '\\' && quote === '"' && /["\\$`]/.test(text[at + 1] ?? '')) word += text[++at]!;
      else word += letter;
    } else if (/\s/.test(letter)) {
      if (isInWord) words.push(word);
      isInWord = false;
      word = '';
    } else {
      isInWord = true;
      if (letter === '"' || letter === "'") quote = letter;
      else word += letter === '\\' ? (text[++at] ?? '') : letter;
    }
  }
  if (quote !== '') return null;
  return isInWord ? [...words, word] : words;
}

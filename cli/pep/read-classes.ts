import { isIPv6 } from 'node:net';
import { parse } from 'yaml';
import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import { describeIssues } from '#core/input/describe-issues.ts';
import { readInputFile } from './read-input-file.ts';

const ClassesSchema = z.record(
  z.string(),
  z.strictObject({
    weight: z.number().positive().max(1000),
    /** Addresses, or names of `--credentials`. Without, the class has all users that no other class names. */
    users: z.array(z.string()).optional(),
  }),
);

export interface UserClasses {
  weights: Record<string, number>;
  classOf: (user: string) => string;
}

/** Throws `invalid-input` that names what is wrong. */
export async function readClasses(file: string): Promise<UserClasses> {
  const classes = parseClasses(file, await readInputFile(file, '--classes'));
  const byUser = new Map<string, string>();
  let ofOthers = '';
  for (const [name, { users }] of Object.entries(classes)) {
    if (users === undefined) {
      if (ofOthers !== '')
        refuse(file, `${ofOthers} and ${name} both have no users: only one class can have all others`);
      ofOthers = name;
    }
    for (const user of (users ?? []).map(toUsualForm)) {
      if (byUser.has(user)) refuse(file, `${user} is in ${byUser.get(user)!} and in ${name}: a user has one class`);
      byUser.set(user, name);
    }
  }
  return {
    weights: Object.fromEntries(Object.entries(classes).map(([name, { weight }]) => [name, weight])),
    classOf: (user) => byUser.get(user) ?? ofOthers,
  };
}

/** An IPv6 address has several forms, of which sockets have one: RFC 5952. */
function toUsualForm(user: string): string {
  const url = isIPv6(user) ? URL.parse(`http://[${user}]`) : null; // null also of one with a zone
  return url ? url.hostname.slice(1, -1) : user;
}

function parseClasses(file: string, text: string): z.infer<typeof ClassesSchema> {
  let input: unknown;
  try {
    input = parse(text);
  } catch (error) {
    throw new AppError('invalid-input', `${file} is not YAML: ${(error as Error).message}`, { cause: error });
  }
  const result = ClassesSchema.safeParse(input);
  if (result.success) return result.data;
  const issues = describeIssues(result.error, { schema: ClassesSchema, input });
  return refuse(file, issues.map(({ path, message }) => `${path.join('.')} ${message}`.trim()).join('; '));
}

function refuse(file: string, fault: string): never {
  throw new AppError(
    'invalid-input',
    `${file}: ${fault}. Write for each class: gold: { weight: 50, users: [198.19.1.1] }`,
  );
}

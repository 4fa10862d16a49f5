import { z } from 'zod';

/** What a person may do, in rising order: each role may do what those before it may. docs/security.md says what that is. */
export const RoleSchema = z.enum(['viewer', 'evaluator', 'admin']);
export type Role = z.infer<typeof RoleSchema>;

/** Whether who has one role may do what needs another. */
export function includesRole(own: Role, needed: Role): boolean {
  return RoleSchema.options.indexOf(own) >= RoleSchema.options.indexOf(needed);
}

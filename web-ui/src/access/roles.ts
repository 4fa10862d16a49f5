import type { Role } from '#core/access/role.ts';

/** What a person with the role may do, in words. Each may do what those before it may. */
export const roleAbility: Record<Role, string> = {
  viewer: 'Sees Evaluations, Runs, Comparisons and Hosts. Changes nothing.',
  evaluator: 'Changes Evaluations and runs them, adds and revokes Hosts, makes tokens, too.',
  admin: 'Says who may do what, ends the sessions and tokens of others, and reads the audit log, too.',
};

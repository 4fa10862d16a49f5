import type { Role } from '#core/access/role.ts';

/** What a person with the role may do, in words. */
export const roleAbility: Record<Role, string> = {
  viewer: 'Sees Evaluations, Runs, Comparisons and Hosts. Changes nothing.',
  evaluator: 'Also changes Evaluations and runs them, adds and revokes Hosts, makes tokens.',
  admin: 'May do all of that, says who else may, ends sessions and tokens of others, reads the audit log.',
};

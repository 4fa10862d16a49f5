import type { Role } from '#core/access/role.ts';

/** What a person with the role may do, in words. */
export const roleAbility: Record<Role, string> = {
  viewer: 'Sees Evaluations, Runs, Comparisons and Hosts. Changes nothing.',
  evaluator: 'Also changes Evaluations and runs them, adds and revokes Hosts, creates tokens.',
  admin:
    'Does everything an evaluator does. Also invites people, ends sessions and tokens of others, and reads the audit log.',
};

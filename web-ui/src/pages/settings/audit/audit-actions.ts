import { AuditActionSchema, type AuditAction } from '#core/protocol/api/audit-entry.ts';

/** The name of each action, as the table shows it. */
export const auditActions: Record<AuditAction, string> = {
  'signed-in': 'Signed in',
  'signed-out': 'Signed out',
  'session-ended': 'Ended a session',
  'account-made': 'Created an account',
  'password-changed': 'Changed the password',
  'person-invited': 'Invited a person',
  'password-link-made': 'Created a link for a new password',
  'invitation-withdrawn': 'Withdrew a one-time link',
  'role-changed': 'Changed a role',
  'person-removed': 'Removed a person',
  'token-made': 'Created a token',
  'token-revoked': 'Revoked a token',
  'host-revoked': 'Revoked a host',
  'testbed-started': 'Started the testbed',
  'testbed-ended': 'Ended the testbed',
  'ssh-login-begun': 'Began to join a host over SSH',
  'ssh-login-ended': 'Joined a host over SSH, or failed',
  'ssh-login-stopped': 'Stopped joining a host over SSH',
  'evaluation-created': 'Created an Evaluation',
  'evaluation-changed': 'Changed an Evaluation',
  'evaluation-deleted': 'Deleted an Evaluation',
  'evaluation-restored': 'Restored an Evaluation',
  'evaluation-erased': 'Deleted an Evaluation and its Runs',
  'retention-changed': 'Changed the retention',
  'evaluation-annotated': 'Changed tags or note of an Evaluation',
  'run-started': 'Started a Run',
  'rounds-added': 'Added Rounds',
  'run-stopped': 'Stopped a Run',
  'run-paused': 'Paused a Run',
  'run-resumed': 'Resumed a Run',
  'run-annotated': 'Changed tags or note of a Run',
  'run-deleted': 'Deleted a Run',
  'snapshots-deleted': 'Deleted Snapshots of a Run',
  'visits-deleted': 'Deleted Visits of a Run',
  'script-run': 'Ran a script',
  'visits-excluded': 'Excluded Visits',
  'exclusion-reversed': 'Reversed an exclusion',
  'site-uploaded': 'Uploaded a Site',
  'site-deleted': 'Deleted a Site',
  'comparison-shared': 'Shared a Comparison',
  'share-revoked': 'Revoked a shared link',
};

/** A newer Controller may send actions that this page does not know: those are shown unchanged. */
export function nameAction(action: string): string {
  const known = AuditActionSchema.safeParse(action).data;
  return known ? auditActions[known] : action;
}

import type { Identity } from './identify.ts';

/** Who did something, as a record of it tells people. */
export function nameIdentity(identity: Identity | null): string {
  switch (identity?.kind) {
    case 'session':
      return identity.session.evaluatorName ?? 'somebody by a one-time link';
    case 'token':
      return `API token "${identity.token.name}"`;
    case 'owner':
      return 'the OS user who runs the controller';
    case undefined:
      throw new Error('An open route has nobody to name');
  }
}

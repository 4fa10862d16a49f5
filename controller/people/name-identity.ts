import type { Identity } from './identify.ts';

/** Who did something, as records name them. */
export function nameIdentity(identity: Identity | null): string {
  switch (identity?.kind) {
    case 'session':
      return identity.session.evaluatorName ?? 'a person with a one-time link';
    case 'token':
      return `API token "${identity.token.name}"`;
    case 'owner':
      return 'the OS user of the Controller';
    case undefined:
      throw new Error('An open route has no identity');
  }
}

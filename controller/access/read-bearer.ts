import type { Request } from 'express';

/** The secret of `Authorization: Bearer SECRET`; undefined where there is none. */
export function readBearer({ headers }: Pick<Request, 'headers'>): string | undefined {
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
}

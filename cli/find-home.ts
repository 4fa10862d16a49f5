import { homedir } from 'node:os';
import path from 'node:path';

/** The folder of all that HTTP-AE keeps on this machine, as the launcher finds it too: `HTTP_AE_HOME`, else under `XDG_DATA_HOME`. */
export function findHome(environment: NodeJS.ProcessEnv): string {
  if (environment.HTTP_AE_HOME) return path.resolve(environment.HTTP_AE_HOME);
  return path.join(environment.XDG_DATA_HOME || path.join(homedir(), '.local', 'share'), 'http-ae');
}

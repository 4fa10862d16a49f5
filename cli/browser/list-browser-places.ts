import path from 'node:path';
import type { BrowserKind } from './browser-kinds.ts';

/** The paths where this machine could have the browser, the best first: macOS's folder of applications, then the PATH. */
export function listBrowserPlaces(
  { programs, macApplications }: BrowserKind,
  { environment, platform }: { environment: NodeJS.ProcessEnv; platform: NodeJS.Platform },
): string[] {
  const folders = (environment.PATH ?? '').split(path.delimiter).filter(Boolean);
  const onPath = programs.flatMap((program) => folders.map((folder) => path.join(folder, program)));
  return platform === 'darwin' ? [...macApplications, ...onPath] : onPath;
}

import { constants } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import path from 'node:path';

/** `man 7 capabilities`: what makes network namespaces and sets what is in them. */
const neededCapabilities = { net_admin: 12n, sys_admin: 21n } as const;
/** Of these, one is enough. The list is that of `study run`, which brings Chromium itself. */
const firefoxPrograms = ['firefox-esr', 'firefox'];

/** What of a machine decides whether it can run studies. */
export interface StudyMachine {
  platform: NodeJS.Platform;
  userId: number | null;
  /** As `/proc/self/status` has it, in hexadecimal; null where it is not known. */
  capabilities: string | null;
  /** Whether a program is on the PATH. */
  hasProgram: (name: string) => Promise<boolean>;
  /** Whether a Firefox was named by its variable. */
  isFirefoxNamed: boolean;
}

/** What a study needs beside a testbed. */
export interface StudyNeeds {
  programs: readonly string[];
  firefox: boolean;
}

/** What keeps this machine from running a study, in a few words; null where nothing does. A look alone: `study run` tries, and brings Debian's packages. */
export async function findStudyObstacle(needs: StudyNeeds, machine: StudyMachine): Promise<string | null> {
  if (machine.platform !== 'linux') return 'it needs Linux';
  if (machine.userId !== 0) return 'it needs root';
  if (!mayMakeNamespaces(machine.capabilities)) return 'this container may not create network namespaces';
  if (needs.firefox && !machine.isFirefoxNamed && !(await hasAny(machine, firefoxPrograms))) return 'it needs Firefox';
  if (await machine.hasProgram('apt-get')) return null;
  for (const program of needs.programs) if (!(await machine.hasProgram(program))) return `it needs ${program}`;
  return null;
}

/** That the Controller runs on. */
export async function readStudyMachine(environment: NodeJS.ProcessEnv): Promise<StudyMachine> {
  const folders = (environment.PATH ?? '').split(path.delimiter).filter(Boolean);
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '');
  return {
    platform: process.platform,
    userId: process.getuid?.() ?? null,
    capabilities: /^CapEff:\s*([\da-f]+)$/m.exec(status)?.[1] ?? null,
    hasProgram: (name) =>
      hasAny(
        { hasProgram: (file) => isExecutable(file) },
        folders.map((folder) => path.join(folder, name)),
      ),
    isFirefoxNamed: Boolean(environment.HTTP_AE_FIREFOX),
  };
}

function mayMakeNamespaces(capabilities: string | null): boolean {
  if (capabilities === null) return true;
  const bits = BigInt(`0x${capabilities}`);
  return Object.values(neededCapabilities).every((bit) => (bits >> bit) % 2n === 1n);
}

async function hasAny({ hasProgram }: Pick<StudyMachine, 'hasProgram'>, names: readonly string[]): Promise<boolean> {
  return (await Promise.all(names.map((name) => hasProgram(name)))).includes(true);
}

async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

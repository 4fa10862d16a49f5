import { constants } from 'node:fs';
import { readFile, access } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import { StudySummarySchema } from '#core/protocol/api/studies.ts';
import { valuesOf } from '#core/study/fill-values.ts';
import { readStudies, studiesFolder, writeEvaluation, type StoredStudy } from './read-studies.ts';
import { jsonRoute, streamRoute, type Route } from '../http/route.ts';

const NameParams = z.object({ name: z.string().max(80) });

/** The studies that come with HTTP-AE, to start an Evaluation from. */
export function studyRoutes(): Route[] {
  return [
    jsonRoute({
      method: 'get',
      path: '/api/studies',
      summary: 'List the case studies that come with HTTP-AE, with the Evaluation of each part',
      access: 'viewer',
      answer: z.array(StudySummarySchema),
      handle: async () => {
        const machine = await readStudyMachine(process.env);
        return Promise.all((await readStudies(studiesFolder)).map((study) => summarise(study, machine)));
      },
    }),
    streamRoute({
      method: 'get',
      path: '/api/studies/:name/picture',
      summary: 'Get the picture of a study, an SVG',
      access: 'viewer',
      params: NameParams,
      content: { 'image/svg+xml': z.string() },
      write: async ({ params, response }) => {
        const study = (await readStudies(studiesFolder)).find(({ name }) => name === params.name);
        if (!study) throw new AppError('not-found', `There is no study "${params.name}"`);
        response.type('image/svg+xml').send(await readFile(path.join(study.folder, 'picture.svg')));
      },
    }),
  ];
}

async function summarise(study: StoredStudy, machine: StudyMachine): Promise<z.infer<typeof StudySummarySchema>> {
  const { name, title, summary, papers } = study;
  const parts = await Promise.all(
    study.parts.map(async (part) => ({
      name: part.name,
      minutes: part.minutes,
      evaluation: await writeEvaluation(study, part, valuesOf(study, part, { isQuick: false })),
    })),
  );
  const needs = {
    programs: study.parts.flatMap(({ programs }) => programs),
    firefox: parts.some(({ evaluation }) => /\bengine:\s*firefox\b/.test(evaluation)),
  };
  return { name, title, summary, papers, obstacle: await findStudyObstacle(needs, machine), parts };
}

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
interface StudyNeeds {
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

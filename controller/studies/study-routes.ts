import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import { StudySummarySchema } from '#core/protocol/api/studies.ts';
import { valuesOf } from '#core/study/fill-values.ts';
import { readStudies, studiesFolder, writeEvaluation, type StoredStudy } from './read-studies.ts';
import { findStudyObstacle, readStudyMachine, type StudyMachine } from './study-obstacles.ts';
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

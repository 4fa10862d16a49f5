import { readStudies, studiesFolder } from '#controller/studies/read-studies.ts';
import { formatRoughDuration } from '../plain-text.ts';

/** Prints the studies with their parts and how long they take. */
export async function listStudies({ json }: { json?: true }): Promise<void> {
  const studies = await readStudies(studiesFolder);
  const listed = studies.map(({ name, title, summary, papers, parts }) => ({
    name,
    title,
    summary,
    papers,
    parts: parts.map((part) => ({ name: part.name, minutes: part.minutes, quickMinutes: part.quickMinutes })),
  }));
  process.stdout.write(json ? `${JSON.stringify(listed)}\n` : `${listed.map(describe).join('\n\n')}\n`);
}

type Listed = Pick<Awaited<ReturnType<typeof readStudies>>[number], 'name' | 'title' | 'summary' | 'papers'> & {
  parts: { name: string; minutes: number; quickMinutes: number }[];
};

function describe({ name, title, summary, papers, parts }: Listed): string {
  const total = (minutes: number[]) => formatRoughDuration(minutes.reduce((sum, each) => sum + each, 0) * 60_000);
  return [
    `${name}: ${title}`,
    `  ${summary}`,
    `  ${papers.map((paper) => `${paper.name}, ${paper.figures}`).join('; ')}`,
    `  about ${total(parts.map(({ minutes }) => minutes))}, with --quick ${total(parts.map(({ quickMinutes }) => quickMinutes))}; parts: ${parts.map((part) => `${part.name} (${part.minutes} min, quick ${part.quickMinutes})`).join(', ')}`,
  ].join('\n');
}

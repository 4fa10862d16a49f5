import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { findChrome } from '#tests/browser/support/find-chrome.ts';
import { installPeer } from './support/install-peer.ts';

/**
 * What Lighthouse says of pages of the web UI, by its settings for a desktop: start `./http-ae demo`, then `node bench/lighthouse.ts LINK [PATH…]`, with the one-time
 * link that it prints at its end. By default of the page that the link leads to; beside a page of the same web UI that shows nothing, the most that there is to reach.
 * Of each page the middle one of three runs, by performance, after one run that warms the machine up.
 */
const [link, ...paths] = process.argv.slice(2);
if (!link) throw new Error('Give the link that ./http-ae demo prints at its end');
const { origin, hash } = new URL(link);
const { ticket, next } = Object.fromEntries(new URLSearchParams(hash.slice(1)));

const ResultSchema = z.object({
  categories: z.record(z.string(), z.object({ score: z.number().nullable() })),
  audits: z.record(
    z.string(),
    z.object({
      title: z.string(),
      score: z.number().nullable(),
      scoreDisplayMode: z.string(),
      numericValue: z.number().optional(),
      displayValue: z.string().optional(),
    }),
  ),
});
const categories = ['performance', 'accessibility', 'best-practices'];

const folder = await mkdtemp(path.join(tmpdir(), 'http-ae-bench-'));
try {
  const headers = path.join(folder, 'headers.json');
  await writeFile(headers, JSON.stringify({ cookie: await signIn() }));
  const main = path.join(await installPeer({ name: 'lighthouse', version: '13.5.0' }), 'cli', 'index.js');
  const run = (page: string) => runLighthouse(main, { url: origin + page, headers });
  await run('/no/such/page');
  for (const page of [...(paths.length > 0 ? paths : [next!]), '/no/such/page']) {
    const results = [await run(page), await run(page), await run(page)];
    report(page, results.toSorted((a, b) => performanceOf(a) - performanceOf(b))[1]!);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function signIn(): Promise<string> {
  const response = await fetch(`${origin}/api/sign-in/ticket`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ticket }),
  });
  if (!response.ok) throw new Error(`The link does not sign in: ${await response.text()}`);
  return response.headers.getSetCookie()[0]!.split(';')[0]!;
}

async function runLighthouse(
  main: string,
  { url, headers }: { url: string; headers: string },
): Promise<z.infer<typeof ResultSchema>> {
  const options = [
    '--preset=desktop',
    '--output=json',
    '--quiet',
    `--only-categories=${categories.join()}`,
    `--extra-headers=${headers}`,
    '--chrome-flags=--headless=new --no-sandbox --disable-background-networking',
  ];
  const child = spawn(process.execPath, [main, url, ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, CHROME_PATH: findChrome() },
  });
  const [output, [exitCode]] = await Promise.all([text(child.stdout), once(child, 'exit') as Promise<[number | null]>]);
  if (exitCode !== 0) throw new Error(`Lighthouse ended with status ${exitCode}`);
  return ResultSchema.parse(JSON.parse(output));
}

function performanceOf({ categories: scores }: z.infer<typeof ResultSchema>): number {
  return scores['performance']?.score ?? 0;
}

function report(page: string, { categories: scores, audits }: z.infer<typeof ResultSchema>): void {
  const timings = [
    'first-contentful-paint',
    'largest-contentful-paint',
    'total-blocking-time',
    'cumulative-layout-shift',
  ];
  console.log(`\n${page}`);
  console.table([
    Object.fromEntries([
      ...categories.map((name) => [name, Math.round(100 * (scores[name]?.score ?? 0))]),
      ...timings.map((name) => [name, audits[name]?.displayValue ?? '']),
    ]),
  ]);
  const failed = Object.values(audits).filter(
    ({ score, scoreDisplayMode }) => scoreDisplayMode === 'binary' && score === 0,
  );
  for (const { title } of failed) console.log(`- ${title}`);
}

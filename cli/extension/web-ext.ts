import path from 'node:path';
import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import { packageRoot, readVersion } from '../installation.ts';
import { builtFolder } from './build-extension.ts';

interface WebExt {
  build: (
    options: { sourceDir: string; artifactsDir: string; filename: string; overwriteDest: boolean },
    run: { showReadyMessage: boolean },
  ) => Promise<{ extensionPath: string }>;
  lint: (
    options: { sourceDir: string; output: 'json' | 'text'; warningsAsErrors: boolean },
    run: { shouldExitProgram: boolean },
  ) => Promise<LintResult>;
}

const FindingSchema = z.object({ code: z.string(), message: z.string(), file: z.string().nullish() });
const LintResultSchema = z.object({ errors: z.array(FindingSchema), warnings: z.array(FindingSchema) });
type LintResult = z.infer<typeof LintResultSchema>;

/** Mozilla's tool for extensions, which brings no types. https://extensionworkshop.com/documentation/develop/web-ext-command-reference/ */
async function loadWebExt(): Promise<WebExt> {
  // A name that the type checker does not follow.
  const name: string = 'web-ext';
  const { cmd } = (await import(name)) as { cmd: WebExt };
  return cmd;
}

const endings = { chrome: 'zip', firefox: 'xpi' } as const;

/** One file per browser, as its store takes it, in extension/dist; prints their paths. */
export async function packageExtension(): Promise<void> {
  const { build } = await loadWebExt();
  for (const target of ['chrome', 'firefox'] as const) {
    const { extensionPath } = await build(
      {
        sourceDir: builtFolder(target),
        artifactsDir: path.join(packageRoot, 'extension', 'dist'),
        filename: `http-ae-${readVersion()}-${target}.${endings[target]}`,
        overwriteDest: true,
      },
      { showReadyMessage: false },
    );
    process.stdout.write(`${extensionPath}\n`);
  }
}

/** Has the extension for Firefox checked as its store does; what is built for Chrome is the same source. Throws where anything is found. */
export async function lintExtension(): Promise<void> {
  const { lint } = await loadWebExt();
  const result = LintResultSchema.parse(
    await lint(
      { sourceDir: builtFolder('firefox'), output: 'text', warningsAsErrors: false },
      { shouldExitProgram: false },
    ),
  );
  const findings = [...result.errors, ...result.warnings];
  if (findings.length === 0) return;
  throw new AppError(
    'invalid-input',
    `web-ext found in the extension: ${findings.map(({ code, message, file }) => `${code} in ${file ?? 'the extension'}: ${message}`).join('; ')}`,
  );
}

import { AppError } from '#core/app-error.ts';
import { builtFolder } from './build-extension.ts';
import { LintResultSchema, loadWebExt } from './web-ext.ts';

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

import { z } from 'zod';

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
export const LintResultSchema = z.object({ errors: z.array(FindingSchema), warnings: z.array(FindingSchema) });
export type LintResult = z.infer<typeof LintResultSchema>;

/** Mozilla's tool for extensions, which brings no types. https://extensionworkshop.com/documentation/develop/web-ext-command-reference/ */
export async function loadWebExt(): Promise<WebExt> {
  // A name that the type checker does not follow.
  const name: string = 'web-ext';
  const { cmd } = (await import(name)) as { cmd: WebExt };
  return cmd;
}

import path from 'node:path';
import { packageRoot } from '../installation.ts';

/** Where the extension for one browser is built. */
export function builtFolder(target: 'chrome' | 'firefox'): string {
  return path.join(packageRoot, 'extension', 'dist', target);
}

/** Builds the probe, and the extension for each browser. */
export async function buildExtension(): Promise<void> {
  const { build } = await import('vite');
  await build({ configFile: path.join(packageRoot, 'probe', 'vite.config.ts'), logLevel: 'warn' });
  for (const target of ['chrome', 'firefox'] as const) {
    await build({ configFile: path.join(packageRoot, 'extension', 'vite.config.ts'), mode: target, logLevel: 'warn' });
    process.stderr.write(`Built ${path.relative(process.cwd(), builtFolder(target)) || '.'}\n`);
  }
}

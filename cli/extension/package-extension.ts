import path from 'node:path';
import { packageRoot, readVersion } from '../installation.ts';
import { builtFolder } from './build-extension.ts';
import { loadWebExt } from './web-ext.ts';

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

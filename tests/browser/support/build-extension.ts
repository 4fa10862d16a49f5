import path from 'node:path';
import { build } from 'vite';
import type { ExtensionTarget } from '#agent/engines/extension/pack-extension.ts';

const root = path.join(import.meta.dirname, '../../..');

/** Builds the extension for one browser from the source as it is now. */
export async function buildExtension(target: ExtensionTarget): Promise<void> {
  await build({ configFile: path.join(root, 'probe/vite.config.ts'), logLevel: 'warn' });
  await build({ configFile: path.join(root, 'extension/vite.config.ts'), mode: target, logLevel: 'warn' });
}

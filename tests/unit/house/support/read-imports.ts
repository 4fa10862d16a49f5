import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../../../..');

/** Every folder with TypeScript in it. */
export const folders = [
  'core',
  'probe',
  'extension',
  'agent',
  'controller',
  'web-ui',
  'site',
  'testbed',
  'httpep',
  'cli',
  'bench',
  'docs',
  'tests',
];

export interface Import {
  file: string;
  specifier: string;
  isTypeOnly: boolean;
  /** Whether the file is loaded only when this line runs. */
  isDynamic: boolean;
}

/** The TypeScript files in a folder, as paths from the root of the project. */
export function listFiles(folder: string): string[] {
  return globSync(`${folder}/**/*.{ts,tsx}`, {
    cwd: root,
    exclude: (name) => name === 'dist' || name === 'node_modules',
  });
}

/** Every static and dynamic import and re-export of the TypeScript files in a folder. */
export function readImports(folder: string): Import[] {
  return listFiles(folder).flatMap((file) => {
    const source = readFileSync(path.join(root, file), 'utf8');
    const found = source.matchAll(
      /^\s*(?:import|export)\s(type\s)?[^'"`;]*?from\s*['"]([^'"]+)['"]|^import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm,
    );
    return [...found].map(([, typeOnly, from, bare, dynamic]) => ({
      file,
      specifier: from ?? bare ?? dynamic!,
      isTypeOnly: typeOnly !== undefined,
      isDynamic: dynamic !== undefined,
    }));
  });
}

/** The file of the project that an import leads to, as a path from its root. Null for a package. */
export function targetOf({ file, specifier }: Import): string | null {
  if (specifier.startsWith('#')) return path.normalize(specifier.slice(1));
  if (specifier.startsWith('.')) return path.join(path.dirname(file), specifier);
  return null;
}

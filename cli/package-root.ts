import path from 'node:path';

/** The folder of package.json. */
export const packageRoot = path.resolve(import.meta.dirname, '..');

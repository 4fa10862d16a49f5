import path from 'node:path';
import { packageRoot } from '../package-root.ts';

/** Where the studies are that come with HTTP-AE. */
export const studiesFolder = path.join(packageRoot, 'studies');

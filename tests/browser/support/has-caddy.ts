import { findMissingTools, pathWithTools } from '#testbed/namespaces/require-tools.ts';
import { frontTools } from '#testbed/origin/front/run-caddy.ts';

/** `./http-ae test` installs it, and reports where it cannot be had. */
export const hasCaddy = findMissingTools(pathWithTools(process.env), frontTools).length === 0;

import { readVariables, writeVariables } from './variables-text.ts';

/** Shares of user classes as one types them: `gold=0.5, silver=0.3`. The same notation as the variables of URLs. */
export const writeShares = writeVariables;
export const readShares = readVariables;

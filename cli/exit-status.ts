/** What the exit status of every command means; shown at the end of `--help`. A signal's is 128 and its number, as in a shell. */
export const exitStatus = { done: 0, failed: 1, misused: 2 } as const;

export const exitStatusHelp = `
Exit status: 0 when all was done; 1 when it failed (a Run that did not complete, a test that failed, an error);
2 when the command line or an input file is wrong; 130 when stopped by Ctrl-C before it was done.`;

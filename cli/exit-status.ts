/** What the exit status of every command means; shown at the end of `--help`. A signal's is 128 and its number, as in a shell. */
export const exitStatus = { done: 0, failed: 1, misused: 2, assertionFailed: 3, assertionUndecided: 4 } as const;

export const exitStatusHelp = `
Exit status: 0 done; 1 failed (an incomplete Run, a failed test, an error);
2 wrong command line or input file; 130 stopped by Ctrl-C. With --assert: 3 failed;
4 undecided, with --fail-undecided.`;

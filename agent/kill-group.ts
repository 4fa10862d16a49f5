/** Ends the process, which leads a group, and all of the group, which may outlive it for a moment. Nothing is lost by it: what it held is temporary. */
export function killGroup(processId: number): void {
  try {
    process.kill(-processId, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

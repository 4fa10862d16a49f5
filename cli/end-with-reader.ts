/** When the reader of the output goes away, as `head` does: ends as by an interrupt, so that what was started is put back. */
export function endWithReader(): void {
  let isGone = false;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    // A second signal would end the process at once.
    if (!isGone) process.kill(process.pid, 'SIGTERM');
    isGone = true;
  });
}

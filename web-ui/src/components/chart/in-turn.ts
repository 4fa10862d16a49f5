let last: Promise<void> = Promise.resolve();

/** Does the work in a task of its own, after all that was given before, so that the page answers in between. Returns what takes it back while it was not done. */
export function inTurn(work: () => void): () => void {
  let isWanted = true;
  const taskOf = (done: () => void) =>
    setTimeout(() => {
      done();
      if (isWanted) work();
    });
  last = last.then(() => new Promise(taskOf));
  return () => {
    isWanted = false;
  };
}

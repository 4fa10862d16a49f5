/** Waits for all steps, then returns their values or throws the first failure. No step is left running. */
export async function allSettled<const Values extends readonly unknown[]>(
  steps: Values,
): Promise<{ -readonly [Index in keyof Values]: Awaited<Values[Index]> }> {
  await Promise.allSettled(steps);
  return Promise.all(steps);
}

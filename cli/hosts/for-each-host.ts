/** Works at some items at a time; the results are in the order of the items. */
export async function forEachHost<Item, Result>(
  items: readonly Item[],
  atATime: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  const takeOneByOne = async () => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(atATime, items.length) }, takeOneByOne));
  return results;
}

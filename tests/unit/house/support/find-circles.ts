/** The strongly connected components of a graph that hold a circle, each sorted (Tarjan 1972, https://doi.org/10.1137/0201010). */
export function findCircles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const indexes = new Map<string, number>();
  const lows = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];

  function visit(node: string): number {
    const index = indexes.size;
    let low = index;
    indexes.set(node, index);
    lows.set(node, index);
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!indexes.has(next)) low = Math.min(low, visit(next));
      else if (stack.includes(next)) low = Math.min(low, lows.get(next)!);
      lows.set(node, low);
    }
    if (low === index) {
      const component = stack.splice(stack.indexOf(node));
      if (component.length > 1 || graph.get(node)?.includes(node)) circles.push(component.sort());
    }
    return low;
  }

  for (const node of graph.keys()) if (!indexes.has(node)) visit(node);
  return circles.sort((a, b) => a[0]!.localeCompare(b[0]!));
}

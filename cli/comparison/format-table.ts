/** Rows as aligned columns, two spaces apart: the first to the left, the others, which hold figures, to the right. */
export function formatTable(rows: string[][]): string[] {
  const columnCount = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: columnCount }, (_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join('  ')
      .trimEnd(),
  );
}

/** Whether to colour what is written there: on a terminal, unless NO_COLOR is set (no-color.org) or the terminal is dumb. */
export function wantsColour(stream: { isTTY?: boolean }, environment: NodeJS.ProcessEnv): boolean {
  return stream.isTTY === true && !environment.NO_COLOR && environment.TERM !== 'dumb';
}

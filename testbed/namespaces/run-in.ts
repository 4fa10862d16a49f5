import { runTool } from './run-tool.ts';

/** The words before a command that let it run in a place (`TestbedNetwork.enter`); none for where this process is. */
export type Enter = readonly string[];

/** Runs a program in a place to its end, and returns its standard output. Throws ToolError. */
export function runIn(enter: Enter, ...command: [string, ...string[]]): Promise<string> {
  return runTool(...([...enter, ...command] as [string, ...string[]]));
}

import { environmentWithoutToken } from '../../environment-without-token.ts';

/** For a browser that runs as the Agent's own user. Its temporary files go the way of its profile; not on macOS, where its sockets' paths would become too long. */
export function describeAgentEnvironment(folder: string): NodeJS.ProcessEnv {
  return { ...environmentWithoutToken(), ...(process.platform === 'linux' && { TMPDIR: folder }) };
}

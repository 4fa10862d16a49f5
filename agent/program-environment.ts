const inherited = ['PATH', 'LANG', 'LANGUAGE', 'LC_ALL', 'TZ'];

/** What only a Controller needs that may be in the same process: `up --agent`. */
const secretsOfController = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'];

/** For a browser that runs as the Agent's own user. Its temporary files go the way of its profile; not on macOS, where its sockets' paths would become too long. */
export function describeAgentEnvironment(folder: string): NodeJS.ProcessEnv {
  return { ...environmentWithoutToken(), ...(process.platform === 'linux' && { TMPDIR: folder }) };
}

/** The Agent's environment for what it starts: its token is for nobody but the Controller, and a key to the Controller's bucket for nobody else. */
export function environmentWithoutToken(): NodeJS.ProcessEnv {
  const secrets = process.env.ARTEFACTS_URL === undefined ? [] : secretsOfController;
  const others = Object.entries(process.env).filter(([name]) => name !== 'HTTP_AE_TOKEN' && !secrets.includes(name));
  return Object.fromEntries(others);
}

/** Nothing of the Agent's own, such as its token; and a home that every such browser finds empty, and that goes with its profile. */
export function describeUserEnvironment(folder: string): NodeJS.ProcessEnv {
  const environment = Object.fromEntries(
    inherited.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
  return { ...environment, HOME: folder, TMPDIR: folder };
}

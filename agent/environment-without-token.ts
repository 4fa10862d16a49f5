/** What only a Controller needs that may be in the same process: `up --agent`. */
const secretsOfController = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'];

/** The Agent's environment for what it starts: its token is for nobody but the Controller, and a key to the Controller's bucket for nobody else. */
export function environmentWithoutToken(): NodeJS.ProcessEnv {
  const secrets = process.env.ARTEFACTS_URL === undefined ? [] : secretsOfController;
  const others = Object.entries(process.env).filter(([name]) => name !== 'HTTP_AE_TOKEN' && !secrets.includes(name));
  return Object.fromEntries(others);
}

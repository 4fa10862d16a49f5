/** The Agent's environment for what it starts: its token is for nobody but the Controller. */
export function environmentWithoutToken(): NodeJS.ProcessEnv {
  const environment = { ...process.env };
  delete environment['HTTP_AE_TOKEN'];
  return environment;
}

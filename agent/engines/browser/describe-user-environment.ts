const inherited = ['PATH', 'LANG', 'LANGUAGE', 'LC_ALL', 'TZ'];

/** Nothing of the Agent's own, such as its token; and a home that every such browser finds empty, and that goes with its profile. */
export function describeUserEnvironment(folder: string): NodeJS.ProcessEnv {
  const environment = Object.fromEntries(
    inherited.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
  return { ...environment, HOME: folder, TMPDIR: folder };
}
